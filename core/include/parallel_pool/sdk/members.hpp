// parallel_pool/sdk/members.hpp: which member functions an author's type has: whether one can be
// called with some arguments (takes_step), and whether there is one of the name at all
// (names_step), which tells a member that is missing from one that is written wrongly.
#ifndef PARALLEL_POOL_SDK_MEMBERS_HPP_
#define PARALLEL_POOL_SDK_MEMBERS_HPP_

#include <type_traits>
#include <utility>

namespace pp::detail {

// A member of E clashes with the fallback's: the name is then ambiguous, which is what is
// asked. Nothing can inherit from a final class; for one, nothing is found to be wrong here, and
// the compiler's own message has to do.
#define PP_NAMES(trait, member)                      \
  struct trait##Fallback {                           \
    int member;                                      \
  };                                                 \
  template <class E>                                 \
  struct trait##Both : E, trait##Fallback {};        \
  template <class E>                                 \
  inline constexpr bool trait = [] {                 \
    if constexpr (std::is_final_v<E>)                \
      return false;                                  \
    else                                             \
      return !requires { &trait##Both<E>::member; }; \
  }()

PP_NAMES(names_reset, reset);
PP_NAMES(names_step, step);
PP_NAMES(names_frame_size, frame_size);
PP_NAMES(names_set_reset_options, set_reset_options);
#undef PP_NAMES

// Takes the place of any one argument.
struct AnyArgument {
  template <class T>
  operator T() const;
};

// True if these arguments can be handed to the member function.
#define PP_TAKES(trait, member)  \
  template <class E, class... A> \
  inline constexpr bool trait = requires(E& e) { e.member(std::declval<A>()...); }

PP_TAKES(takes_reset, reset);
PP_TAKES(takes_step, step);
PP_TAKES(takes_describe, describe);
PP_TAKES(takes_save, save);
PP_TAKES(takes_load, load);
PP_TAKES(takes_copy_from, copy_from);
PP_TAKES(takes_draw, draw);
PP_TAKES(takes_frame_size, frame_size);
PP_TAKES(takes_arrays, arrays);
PP_TAKES(takes_arrays_written, arrays_written);
PP_TAKES(takes_set_reset_options, set_reset_options);
PP_TAKES(takes_seed, seed);
PP_TAKES(takes_unseen, unseen);
PP_TAKES(takes_reseed, reseed);
#undef PP_TAKES

}  // namespace pp::detail
#endif  // PARALLEL_POOL_SDK_MEMBERS_HPP_
