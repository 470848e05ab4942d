// parallel_pool/sdk/members.hpp: which member functions an author's type has: whether one can be
// called with some arguments (takes_step), and whether there is one of the name at all (NamesStep),
// which tells a member that is missing from one that is written wrongly.
//
// One specialisation per trait: compilers disagree whether two that differ only inside of
// std::void_t are the same.
#ifndef PARALLEL_POOL_SDK_MEMBERS_HPP_
#define PARALLEL_POOL_SDK_MEMBERS_HPP_

#include <type_traits>
#include <utility>

namespace pp::detail {

// A member of E clashes with the fallback's: the name is then ambiguous, which is what is
// asked. Nothing can inherit from a final class; for one, nothing is found to be wrong here, and
// the compiler's own message has to do.
#define PP_NAMES(trait, member)                                                                \
  struct trait##Fallback {                                                                     \
    int member;                                                                                \
  };                                                                                           \
  template <class E>                                                                           \
  struct trait##Both : E, trait##Fallback {};                                                  \
  template <class E, bool = std::is_final_v<E>, class = void>                                  \
  struct trait : std::true_type {};                                                            \
  template <class E>                                                                           \
  struct trait<E, false, std::void_t<decltype(&trait##Both<E>::member)>> : std::false_type {}; \
  template <class E>                                                                           \
  struct trait<E, true, void> : std::false_type {}

PP_NAMES(NamesReset, reset);
PP_NAMES(NamesStep, step);
PP_NAMES(NamesFrameSize, frame_size);
PP_NAMES(NamesSetResetOptions, set_reset_options);
#undef PP_NAMES

// Takes the place of any one argument.
struct AnyArgument {
  template <class T>
  operator T() const;
};

// True if these arguments can be handed to the member function.
#define PP_TAKES(trait, Trait, member)                                                 \
  template <class Arguments, class E, class = void>                                    \
  struct Trait : std::false_type {};                                                   \
  template <class... A, class E>                                                       \
  struct Trait<void(A...), E,                                                          \
               std::void_t<decltype(std::declval<E&>().member(std::declval<A>()...))>> \
      : std::true_type {};                                                             \
  template <class E, class... A>                                                       \
  inline constexpr bool trait = Trait<void(A...), E>::value

PP_TAKES(takes_reset, TakesReset, reset);
PP_TAKES(takes_step, TakesStep, step);
PP_TAKES(takes_describe, TakesDescribe, describe);
PP_TAKES(takes_save, TakesSave, save);
PP_TAKES(takes_load, TakesLoad, load);
PP_TAKES(takes_draw, TakesDraw, draw);
PP_TAKES(takes_frame_size, TakesFrameSize, frame_size);
PP_TAKES(takes_arrays, TakesArrays, arrays);
PP_TAKES(takes_arrays_written, TakesArraysWritten, arrays_written);
PP_TAKES(takes_set_reset_options, TakesSetResetOptions, set_reset_options);
PP_TAKES(takes_seed, TakesSeed, seed);
PP_TAKES(takes_unseen, TakesUnseen, unseen);
PP_TAKES(takes_reseed, TakesReseed, reseed);
#undef PP_TAKES

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_MEMBERS_HPP_
