// SPDX-License-Identifier: GPL-2.0-only
// Stands in for ALE's src/ale/environment/phosphor_blend.cpp, which is left out of the build
// (cmake/BuildAle.cmake).
//
// ALE's constructor fills a 64 x 64 x 64 table by searching 128 colours for each entry. That is
// most of the cost of loading a ROM, and only the setting `color_averaging` reads the table: it is
// off by default, Gymnasium never turns it on, and this plugin does not offer it. So the table is
// never built, and asking for it is an error instead of a wrong picture.

#include "ale/environment/phosphor_blend.hpp"

#include <stdexcept>

namespace ale {

PhosphorBlend::PhosphorBlend(stella::OSystem* osystem) : m_osystem(osystem) {}

void PhosphorBlend::process(ALEScreen&) {
  throw std::logic_error("parallel_pool_atari is built without ALE's color_averaging");
}

}  // namespace ale
