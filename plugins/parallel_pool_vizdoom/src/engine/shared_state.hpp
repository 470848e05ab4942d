// The shared memory of an engine of vizdoom 1.3.2: what it shows, and what it reads. The sizes are
// checked against those that the engine states before anything is read.
#ifndef PARALLEL_POOL_VIZDOOM_ENGINE_SHARED_STATE_HPP_
#define PARALLEL_POOL_VIZDOOM_ENGINE_SHARED_STATE_HPP_

#include <cstddef>
#include <cstdint>

namespace doom {

inline constexpr uint32_t engine_version = 132;
inline constexpr size_t button_count = 43;
inline constexpr size_t binary_button_count = 38;  // the others are deltas
inline constexpr size_t delta_button_count = button_count - binary_button_count;
inline constexpr size_t max_players = 16;
inline constexpr size_t name_length = 128;

// Regions of the shared memory, by number.
enum Region : size_t {
  region_state,
  region_input,
  region_screen,
  region_depth,
  region_labels,
  region_automap,
  region_audio,
  region_count
};

struct SharedLabel {
  uint8_t value;
  uint32_t position[2];
  uint32_t size[2];
  uint32_t object;
  double place[9];
  char name[name_length];
  char category[name_length];
};
struct SharedObject {
  uint32_t id;
  int32_t sector;
  double place[9];
  char category[name_length];
  char name[name_length];
};
struct SharedSector {
  uint32_t id;
  double floor;
  double ceiling;
  uint32_t line_count;
  uint32_t lines[1024];
};
struct SharedLine {
  double ends[4];
  bool blocking;
};

struct SharedState {
  uint32_t version;
  char version_text[16];

  uint64_t size;
  uint64_t region_offset[region_count];
  uint64_t region_size[region_count];
  bool region_writeable[region_count];

  uint32_t game_tic;
  int32_t game_state;
  int32_t game_action;
  uint32_t static_seed;
  bool settings_controller;
  bool net_game;
  bool multiplayer;
  bool deathmatch;
  bool demo_recording;
  bool demo_playback;
  bool sound;

  uint32_t screen_width;
  uint32_t screen_height;
  uint64_t screen_pitch;
  uint64_t screen_size;
  int32_t screen_format;

  bool has_depth;
  bool has_labels;
  bool has_automap;
  bool has_objects;
  bool has_sectors;
  bool has_audio;
  bool has_notifications;

  uint32_t map_start_tic;
  uint32_t map_tic;
  uint32_t map_tic_limit;
  int32_t map_reward;  // 16.16 fixed point
  int32_t user[60];
  int32_t map_kills;
  int32_t map_items;
  int32_t map_secrets;
  bool map_end;

  bool has_actor;
  bool dead;
  char player_name[name_length];
  int32_t kills;
  int32_t items;
  int32_t secrets;
  int32_t frags;
  int32_t deaths;
  bool on_ground;
  int32_t health;
  int32_t armor;
  bool attack_ready;
  bool alt_attack_ready;
  int32_t selected_weapon;
  int32_t selected_weapon_ammo;
  int32_t ammo[10];
  int32_t weapon[10];
  double movement[10];
  double camera[7];
  bool ready_to_respawn;
  uint32_t player_number;

  uint32_t player_count;
  bool player_in_game[max_players];
  char player_names[max_players][name_length];
  int32_t player_frags[max_players];
  bool player_afk[max_players];
  uint32_t player_last_action[max_players];
  uint32_t player_last_kill[max_players];

  uint32_t label_count;
  SharedLabel labels[256];
  uint32_t object_count;
  SharedObject objects[4096];
  uint32_t sector_count;
  SharedSector sectors[2048];
  uint32_t line_count;
  SharedLine lines[16384];

  int32_t hits;
  int32_t hits_taken;
  int32_t damage;
  int32_t damage_taken;

  uint32_t notifications_size;
  char notifications[32768];
};

struct SharedInput {
  double value[button_count];
  bool available[button_count];
  double limit[delta_button_count];
  double command[button_count];
};

}  // namespace doom
#endif  // PARALLEL_POOL_VIZDOOM_ENGINE_SHARED_STATE_HPP_
