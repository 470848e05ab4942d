// Box2D's memory. Its own functions give NULL where there is none, which nothing looks at, and its
// stack ends the process if what lies on it is not taken back in order, as where an exception
// leaves a step. Here the lack of memory is an exception, after which a world can be destroyed, and
// nothing else.
#include <Box2D/Box2D.h>
#include <Box2D/Common/b2StackAllocator.h>

#include <new>

b2Version b2_version = {2, 3, 0};

void* b2Alloc(int32 size) {
  return ::operator new(static_cast<size_t>(size));
}
void b2Free(void* memory) {
  ::operator delete(memory);
}
void b2Log(const char*, ...) {}

b2StackAllocator::b2StackAllocator()
    : m_index(0), m_allocation(0), m_maxAllocation(0), m_entryCount(0) {}

b2StackAllocator::~b2StackAllocator() {
  while (m_entryCount > 0) Free(m_entries[m_entryCount - 1].data);
}

void* b2StackAllocator::Allocate(int32 size) {
  b2Assert(m_entryCount < b2_maxStackEntries);
  const bool fits = m_index + size <= b2_stackSize;
  char* data = fits ? m_data + m_index : static_cast<char*>(b2Alloc(size));
  m_entries[m_entryCount++] = {data, size, !fits};
  if (fits) m_index += size;
  m_allocation += size;
  m_maxAllocation = b2Max(m_maxAllocation, m_allocation);
  return data;
}

// With all that lies on it, which nobody took back.
void b2StackAllocator::Free(void* data) {
  for (bool found = false; !found && m_entryCount > 0;) {
    const b2StackEntry& top = m_entries[--m_entryCount];
    found = top.data == data;
    if (top.usedMalloc) {
      b2Free(top.data);
    } else {
      m_index -= top.size;
    }
    m_allocation -= top.size;
  }
}

int32 b2StackAllocator::GetMaxAllocation() const {
  return m_maxAllocation;
}
