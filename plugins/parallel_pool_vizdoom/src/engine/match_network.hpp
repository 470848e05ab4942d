// The sockets by which the engines of one match meet are made and bound here, on the loopback
// interface and at ports that the kernel chooses, and handed to the engines. No other process can
// take a port between its being chosen and being used, whatever runs on the machine.
//
// The engines are told in which order players come by messages that wait for them, so a player's
// number is that of its engine. network.cpp is the other side of this.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_MATCH_NETWORK_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_MATCH_NETWORK_HPP_

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

#include "preload.hpp"

namespace doom {

// Throws std::runtime_error where there is no loopback interface, or too many files are open.
class MatchNetwork {
 public:
  // library: what the engines load.
  MatchNetwork(size_t players, const std::string& library) : library_(library) {
    try {
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

  // Returns the arguments of a player's engine; player 0 is the host.
  std::vector<std::string> arguments(size_t player) const {
    const std::string port = std::to_string(ntohs(address_[0].sin_port));
    if (player == 0) return {"-host", std::to_string(socket_.size()), "-port", port};
    return {"-join", "127.0.0.1:" + port};
  }
  // Returns the files that it is given. They live as long as this object.
  Inherited inherited(size_t player) const {
    Inherited result{{socket_[player]},
                     {"PARALLEL_POOL_PEERS=" + std::to_string(socket_.size() - 1)}};
    library_.add_to(result);
    return result;
  }

 private:
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
  // Announces a player as its engine does when it looks for the host.
  void announce(size_t player) {
    constexpr uint8_t connect[] = {0x30, 0};
    if (sendto(socket_[player], connect, sizeof connect, 0,
               reinterpret_cast<const sockaddr*>(&address_[0]), sizeof address_[0]) < 0) {
      fail("sending to 127.0.0.1");
    }
  }
  [[noreturn]] static void fail(const std::string& what) {
    throw std::runtime_error("the engines of a match cannot be connected: " + what + ": " +
                             std::strerror(errno));
  }
  void close() {
    for (const int each : socket_) ::close(each);
  }

  const Preload library_;
  std::vector<int> socket_;
  std::vector<sockaddr_in> address_;
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_MATCH_NETWORK_HPP_
