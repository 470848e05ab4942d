// How the engines of one match meet: sockets that are made and bound here, on the loopback
// interface and at ports that the kernel chooses, and handed to the engines. Nobody else can take a
// port between its being chosen and being used, whatever runs on the machine.
//
// The engines are told in which order players come by messages that wait for them, so a player's
// number is that of its engine. network.cpp is the other side of this.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_MATCH_NETWORK_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_MATCH_NETWORK_HPP_

#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "process.hpp"

namespace doom {

// Throws std::runtime_error where there is no loopback interface, or too many files are open.
class MatchNetwork {
 public:
  explicit MatchNetwork(size_t players) {
    try {
      open_library();
      for (size_t i = 0; i < players; ++i) open_socket();
      for (size_t i = 1; i < players; ++i) announce(i);
    } catch (...) {
      close();
      throw;
    }
  }
  ~MatchNetwork() { close(); }
  MatchNetwork(const MatchNetwork&) = delete;
  MatchNetwork& operator=(const MatchNetwork&) = delete;

  // What the engine of a player says on its command line; player 0 is the host.
  std::vector<std::string> arguments(size_t player) const {
    const std::string port = std::to_string(ntohs(address_[0].sin_port));
    if (player == 0) return {"-host", std::to_string(socket_.size()), "-port", port};
    return {"-join", "127.0.0.1:" + port};
  }
  // What it is given. Not longer than this object lives.
  Inherited inherited(size_t player) const {
    return {{socket_[player], library_},
            {"LD_PRELOAD=/proc/self/fd/" + std::to_string(Inherited::first_number + 1),
             "PARALLEL_POOL_PEERS=" + std::to_string(socket_.size() - 1)}};
  }

 private:
  void open_library() {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&dladdr_mark), &info);
    const std::string here = info.dli_fname == nullptr ? "" : info.dli_fname;
    const std::string path = here.substr(0, here.rfind('/') + 1) + "engine_network.so";
    library_ = moved(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (library_ < 0) fail("opening " + path);
  }
  void open_socket() {
    const int made = moved(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (made < 0) fail("making a socket");
    socket_.push_back(made);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* general = reinterpret_cast<sockaddr*>(&address);
    if (bind(made, general, size) != 0 || getsockname(made, general, &size) != 0) {
      fail("binding a socket to 127.0.0.1");
    }
    address_.push_back(address);
  }
  // As the player's engine does when it looks for the host.
  void announce(size_t player) {
    constexpr uint8_t connect[] = {0x30, 0};
    if (sendto(socket_[player], connect, sizeof connect, 0,
               reinterpret_cast<const sockaddr*>(&address_[0]), sizeof address_[0]) < 0) {
      fail("sending to 127.0.0.1");
    }
  }
  static int moved(int file) {
    if (file < 0) return file;
    const int result = fcntl(file, F_DUPFD_CLOEXEC, Inherited::lowest_here);
    const int error = errno;
    ::close(file);
    errno = error;
    return result;
  }
  [[noreturn]] static void fail(const std::string& what) {
    throw std::runtime_error("the engines of a match cannot be connected: " + what + ": " +
                             std::strerror(errno));
  }
  void close() {
    for (const int each : socket_) ::close(each);
    if (library_ >= 0) ::close(library_);
  }
  static void dladdr_mark() {}

  int library_ = -1;
  std::vector<int> socket_;
  std::vector<sockaddr_in> address_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_MATCH_NETWORK_HPP_
