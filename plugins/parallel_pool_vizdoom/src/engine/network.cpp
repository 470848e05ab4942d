// Loaded into each engine of a match in front of the C library (LD_PRELOAD), where it stands
// between the engine and its one network socket. It is no part of the plugin's library.
//
// - The socket is one that we have made and bound (match_network.hpp), so no port is ever searched.
// - A player's command for a tic is made before that player hears of the others' for the same tic.
//   The engine would make a second command at once if it had heard of the host's, which depends on
//   which was quicker; the player's actions would then come a tic late from there on.
// - The engine asks again and again whether something has come. While something must, it sleeps
//   here until it has, and where nothing can come it is told so without asking the kernel.
// - What comes from a player that has begun is kept for an engine that has not, which would drop it
//   and wait for it without end.
// - It sleeps less between its attempts to meet the others: at first, for each attempt is a
// message,
//   and there is room for some 250 at a player that does not look yet.
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "colours.hpp"
#include "crash.hpp"
#include "given_files.hpp"

namespace {

constexpr int game_socket = 3;            // Inherited::first_number
constexpr unsigned char is_setup = 0x20;  // in the first byte of packets that are not of the game
constexpr int look_every = 100;           // milliseconds of sleep, so that the engine is not deaf
constexpr useconds_t first_pause = 3000;  // microseconds

bool is_open = false;
bool has_begun = false;
bool hides_next = false;
int peers = 0;
int sent = 0;     // packets of one tic, which go to all peers
int awaited = 0;  // packets
int64_t meeting_since = 0;

// Packets of the game that came before our engine has begun: one from each other player.
struct Early {
  sockaddr_in from;
  ssize_t size;
  unsigned char bytes[512];
};
constexpr int most_early = 16;
Early early[most_early];
int early_count = 0;
int early_taken = 0;

bool is_of_game(const void* packet, ssize_t size) {
  return size > 0 && (*static_cast<const unsigned char*>(packet) & is_setup) == 0;
}

ssize_t nothing() {
  errno = EWOULDBLOCK;
  return -1;
}

ssize_t receive(void* buffer, size_t size, int flags, sockaddr* from, socklen_t* from_size) {
  return syscall(SYS_recvfrom, game_socket, buffer, size, flags, from, from_size);
}

ssize_t receive_before(void* buffer, size_t size, int flags, sockaddr* from, socklen_t* from_size) {
  for (;;) {
    const ssize_t got = receive(buffer, size, flags, from, from_size);
    Early& next = early[early_count];
    if (!is_of_game(buffer, got) || early_count == most_early ||
        got > static_cast<ssize_t>(sizeof next.bytes)) {
      return got;
    }
    std::memcpy(&next.from, from, sizeof next.from);
    std::memcpy(next.bytes, buffer, static_cast<size_t>(got));
    next.size = got;
    ++early_count;
  }
}

ssize_t take_early(void* buffer, size_t size, sockaddr* from, socklen_t* from_size) {
  const Early& next = early[early_taken++];
  const size_t taken = std::min(size, static_cast<size_t>(next.size));
  std::memcpy(buffer, next.bytes, taken);
  std::memcpy(from, &next.from, sizeof next.from);
  *from_size = sizeof next.from;
  --awaited;
  return static_cast<ssize_t>(taken);
}

// A sixteenth of the time since the first: 130 attempts in a minute.
useconds_t meeting_pause() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t time = int64_t{now.tv_sec} * 1000000 + now.tv_nsec / 1000;
  if (meeting_since == 0) meeting_since = time;
  return std::max(first_pause, static_cast<useconds_t>((time - meeting_since) / 16));
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int socket(int domain, int type, int protocol) noexcept {
  if (!is_open && domain == AF_INET && type == SOCK_DGRAM) {
    is_open = true;
    const char* count = std::getenv("PARALLEL_POOL_PEERS");
    peers = count == nullptr ? 0 : std::atoi(count);
    return game_socket;
  }
  return static_cast<int>(syscall(SYS_socket, domain, type, protocol));
}

__attribute__((visibility("default"))) int bind(int file, const sockaddr* address,
                                                socklen_t size) noexcept {
  if (is_open && file == game_socket) return 0;
  return static_cast<int>(syscall(SYS_bind, file, address, size));
}

__attribute__((visibility("default"))) ssize_t sendto(int file, const void* packet, size_t size,
                                                      int flags, const sockaddr* to,
                                                      socklen_t to_size) {
  const ssize_t result = syscall(SYS_sendto, file, packet, size, flags, to, to_size);
  if (is_open && file == game_socket && is_of_game(packet, static_cast<ssize_t>(size))) {
    has_begun = true;
    hides_next = true;
    if (++sent >= peers) {
      sent = 0;
      awaited += peers;
    }
  }
  return result;
}

__attribute__((visibility("default"))) ssize_t recvfrom(int file, void* buffer, size_t size,
                                                        int flags, sockaddr* from,
                                                        socklen_t* from_size) {
  if (!is_open || file != game_socket) {
    return syscall(SYS_recvfrom, file, buffer, size, flags, from, from_size);
  }
  if (!has_begun) return receive_before(buffer, size, flags, from, from_size);
  if (hides_next || awaited <= 0) {
    hides_next = false;
    return nothing();
  }
  if (early_taken < early_count) return take_early(buffer, size, from, from_size);
  ssize_t got = receive(buffer, size, flags, from, from_size);
  if (got < 0 && errno == EWOULDBLOCK) {
    pollfd waiting{game_socket, POLLIN, 0};
    poll(&waiting, 1, look_every);
    got = receive(buffer, size, flags, from, from_size);
  }
  if (is_of_game(buffer, got)) --awaited;
  return got;
}

__attribute__((visibility("default"))) int usleep(useconds_t microseconds) {
  if (is_open && !has_begun) microseconds = std::min(microseconds, meeting_pause());
  timespec time{};
  time.tv_sec = microseconds / 1000000;
  time.tv_nsec = static_cast<long>(microseconds % 1000000) * 1000;
  return nanosleep(&time, nullptr);
}

}  // extern "C"
