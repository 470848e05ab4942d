// For the libraries that engines load: the engine of vizdoom 1.3.2 for x86-64 turns what it has
// drawn into colours by ours, about ten times as fast and with equal bytes.
//
// An engine draws numbers of its palette. For each picture it looks every pixel up, with a division
// per pixel to find the end of a row, in floating point for gray: 40% of a tic at 320x240. Its own
// 8-bit format divides as well, and keeps the palette to itself, which flashes change.
//
// The engine has no symbols, and no call to stand in. So the loop's place is known by its address,
// and its code by a checksum: where either differs (another version, processor, or kernel that lets
// no code be written) the engine stays as it is. No page can be written and executed at once.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_COLOURS_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_COLOURS_HPP_

#if defined(__x86_64__) && defined(__linux__)

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace colours {

// Addresses of the engine, which is linked to a fixed place. The checksum covers the code that
// names those of the settings.
constexpr uintptr_t function = 0x78c640;  // copies what is drawn into shared memory
constexpr size_t function_size = 595;
constexpr uint64_t function_sum = 0x71132903a24a281a;  // FNV-1a
constexpr uintptr_t loops = 0x78c6f3;  // here everything is checked, and in registers
constexpr uintptr_t end = 0x78c7a6;    // and behind the loops, for all formats

struct Format {
  bool has_alpha;
  uint32_t alpha, blue, green, red,
      step;  // bytes: where the first pixel's are; from pixel to pixel
};
inline const auto* const format = reinterpret_cast<const Format*>(uintptr_t{0xa8a678});
inline const auto* const format_number = reinterpret_cast<const int32_t*>(uintptr_t{0xa8a3a8});
constexpr int32_t gray = 8;
constexpr int32_t numbers_of_palette = 9;

struct Colour {
  uint8_t blue, green, red, unused;
};

inline void draw_rgb(const Colour* palette, const uint8_t* drawn, uint8_t* out, uint32_t width,
                     uint32_t height, size_t gap) {
  uint32_t packed[256];  // bytes in memory: red, green, blue
  for (int i = 0; i < 256; ++i) {
    packed[i] = palette[i].red | uint32_t{palette[i].green} << 8 | uint32_t{palette[i].blue} << 16;
  }
  const uint8_t* const last = out + size_t{3} * width * height - 3;
  for (uint32_t y = 0; y < height; ++y, drawn += gap) {
    for (uint32_t x = 0; x < width; ++x, out += 3) {
      // The fourth byte is the next pixel's, which comes later; the last pixel has none.
      std::memcpy(out, &packed[*drawn++], out == last ? 3 : 4);
    }
  }
}

inline void draw_gray(const Colour* palette, const uint8_t* drawn, uint8_t* out, uint32_t width,
                      uint32_t height, size_t gap) {
  uint8_t grays[256];
  for (int i = 0; i < 256; ++i) {
    const Colour& of = palette[i];
    grays[i] =
        static_cast<uint8_t>(static_cast<int>(0.21 * of.red + 0.72 * of.green + 0.07 * of.blue));
  }
  for (uint32_t y = 0; y < height; ++y, drawn += gap) {
    for (uint32_t x = 0; x < width; ++x) *out++ = grays[*drawn++];
  }
}

inline void draw_as_said(const Colour* palette, const uint8_t* drawn, uint8_t* out, uint32_t width,
                         uint32_t height, size_t gap) {
  uint32_t at = 0;
  for (uint32_t y = 0; y < height; ++y, drawn += gap) {
    for (uint32_t x = 0; x < width; ++x, at += format->step) {
      const Colour& of = palette[*drawn++];
      out[at + format->red] = of.red;
      out[at + format->green] = of.green;
      out[at + format->blue] = of.blue;
      if (format->has_alpha) out[at + format->alpha] = 255;
    }
  }
}

// Called by the engine in place of its loops. `gap`: what lies between the rows of `drawn`.
inline void draw(const Colour* palette, const uint8_t* drawn, uint8_t* out, uint32_t width,
                 uint32_t pixels, uint32_t gap) {
  if (pixels == 0) return;
  const uint32_t height = pixels / width;
  if (*format_number == gray) {
    draw_gray(palette, drawn, out, width, height, gap);
  } else if (*format_number == numbers_of_palette) {
    for (uint32_t y = 0; y < height; ++y, out += width, drawn += width + gap) {
      std::memcpy(out, drawn, width);
    }
  } else if (format->step == 3 && format->red == 0 && format->green == 1 && format->blue == 2) {
    draw_rgb(palette, drawn, out, width, height, gap);
  } else {
    draw_as_said(palette, drawn, out, width, height, gap);
  }
}

// The part of this program that holds the function, if it may be read and executed there.
struct Code {
  bool is_ours = false;
  off_t in_file = 0;  // the place of the function's byte in the program's file
};
inline int look(dl_phdr_info* program, size_t, void* found) {
  auto& code = *static_cast<Code*>(found);
  for (int i = 0; i < program->dlpi_phnum; ++i) {
    const auto& part = program->dlpi_phdr[i];
    const uintptr_t begin = program->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || (part.p_flags & (PF_R | PF_X)) != (PF_R | PF_X)) continue;
    if (begin > function || begin + part.p_filesz < function + function_size) continue;
    code.is_ours = true;
    code.in_file = static_cast<off_t>(part.p_offset + (function - begin));
  }
  return 1;  // the first is the program, the others are libraries
}

inline uint64_t sum_of(const uint8_t* bytes, size_t count) {
  uint64_t sum = 0xcbf29ce484222325;
  for (size_t i = 0; i < count; ++i) sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum;
}

__attribute__((constructor)) inline void replace() {
  Code code;
  dl_iterate_phdr(look, &code);
  if (!code.is_ours) return;
  if (sum_of(reinterpret_cast<const uint8_t*>(function), function_size) != function_sum) return;

  // The six arguments from where the engine keeps them, the call, and the way behind the loops.
  uint8_t call[] = {
      0x48, 0x89, 0xe7,                       // mov rdi, rsp      palette
      0x4c, 0x89, 0xee,                       // mov rsi, r13      drawn
      0x48, 0x89, 0xda,                       // mov rdx, rbx      out
      0x89, 0xe9,                             // mov ecx, ebp      width
      0x45, 0x89, 0xf0,                       // mov r8d, r14d     pixels
      0x45, 0x89, 0xe1,                       // mov r9d, r12d     gap
      0x48, 0xb8, 0,    0, 0, 0, 0, 0, 0, 0,  // mov rax, draw
      0xff, 0xd0,                             // call rax
      0xe9, 0,    0,    0, 0,                 // jmp end
  };
  constexpr size_t target_at = 19;
  constexpr size_t jump_at = 30;
  static_assert(sizeof call == jump_at + 4);
  const auto target = reinterpret_cast<uintptr_t>(&draw);
  const auto jump = static_cast<int32_t>(end - (loops + sizeof call));
  std::memcpy(call + target_at, &target, sizeof target);
  std::memcpy(call + jump_at, &jump, sizeof jump);

  constexpr uintptr_t page_size = 4096;  // x86-64's
  constexpr uintptr_t page = function / page_size * page_size;
  static_assert((loops + sizeof call) / page_size * page_size == page);
  auto* const memory = reinterpret_cast<void*>(page);
  if (mprotect(memory, page_size, PROT_READ | PROT_WRITE) != 0) return;
  std::memcpy(reinterpret_cast<void*>(loops), call, sizeof call);
  if (mprotect(memory, page_size, PROT_READ | PROT_EXEC) == 0) return;
  // Changed code may not be executed on this machine: the page comes from the file again.
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  mmap(memory, page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file,
       code.in_file - static_cast<off_t>(function - page));
  close(file);
}

}  // namespace colours

#endif
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_COLOURS_HPP_
