// Box2D's private members by name: an explicit instantiation may name them.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_PRIVATE_MEMBERS_HPP_
#define PARALLEL_POOL_BOX2D_ENGINE_PRIVATE_MEMBERS_HPP_

namespace box2d {
namespace {  // each file that includes this has its own, as explicit instantiations need it

template <class Tag, typename Tag::type Member>
struct Open {
  friend typename Tag::type get(Tag) { return Member; }
};

}  // namespace
}  // namespace box2d

// In an unnamed namespace within box2d; then `owner.*get(Name{})` is the member.
#define OPEN(Name, Owner, member, ...) \
  struct Name {                        \
    using type = __VA_ARGS__ Owner::*; \
    friend type get(Name);             \
  };                                   \
  template struct Open<Name, &Owner::member>

#endif
