// SPDX-License-Identifier: GPL-2.0-only
// The members of ALE 0.12.1 that have no accessor and that this plugin needs all the same.
//
// An explicit instantiation may name a private member ([temp.spec] 13.9.1/6 in C++17), so a
// pointer to it can be handed out without patching ALE's source. cmake/BuildAle.cmake pins the
// version; a renamed member is a compile error here, not a silent change.

#ifndef PARALLEL_POOL_ATARI_ALE_PRIVATE_HPP_
#define PARALLEL_POOL_ATARI_ALE_PRIVATE_HPP_

#include <cstdint>
#include <stdexcept>

#include "ale/ale_interface.hpp"
#include "ale/emucore/CartDPC.hxx"
#include "ale/emucore/Console.hxx"
#include "ale/emucore/M6532.hxx"
#include "ale/emucore/OSystem.hxx"
#include "ale/emucore/PropsSet.hxx"
#include "ale/emucore/System.hxx"
#include "ale/emucore/TIA.hxx"

namespace pp::atari::ale_private {

template <class Tag, typename Tag::Type Member>
struct Export {
  friend constexpr typename Tag::Type member(Tag) { return Member; }
};

// Serves also files that need a member of a class of their own.
#define PP_ALE_MEMBER(tag, type, cls, name) \
  struct tag {                              \
    using Type = type cls::*;               \
    friend constexpr Type member(tag);      \
  };                                        \
  template struct Export<tag, &cls::name>;

using Environment = ale::StellaEnvironment;
using System = ale::stella::System;
using Tia = ale::stella::TIA;

// Only collisions are computed while this is set; ALE's settings refuse to set it.
PP_ALE_MEMBER(FastUpdate, bool, Tia, fastUpdate)

// State that TIA::save leaves out. The masks are recomputed at the next write to their register,
// which a game may not do for many frames.
PP_ALE_MEMBER(PartialFrame, bool, Tia, myPartialFrameFlag)
PP_ALE_MEMBER(FrameGreyed, bool, Tia, myFrameGreyed)
PP_ALE_MEMBER(FramePointer, uint8_t*, Tia, myFramePointer)
PP_ALE_MEMBER(MaskBall, const uint8_t*, Tia, myCurrentBLMask)
PP_ALE_MEMBER(MaskMissile0, const uint8_t*, Tia, myCurrentM0Mask)
PP_ALE_MEMBER(MaskMissile1, const uint8_t*, Tia, myCurrentM1Mask)
PP_ALE_MEMBER(MaskPlayer0, const uint8_t*, Tia, myCurrentP0Mask)
PP_ALE_MEMBER(MaskPlayer1, const uint8_t*, Tia, myCurrentP1Mask)
PP_ALE_MEMBER(MaskPlayfield, const uint32_t*, Tia, myCurrentPFMask)
PP_ALE_MEMBER(BusState, uint8_t, System, myDataBusState)

// The place of the beam, in clocks, and of objects: TIA takes these from a state as they are.
PP_ALE_MEMBER(StartDisplay, int, Tia, myClockStartDisplay)
PP_ALE_MEMBER(StopDisplay, int, Tia, myClockStopDisplay)
PP_ALE_MEMBER(LastUpdate, int, Tia, myClockAtLastUpdate)
PP_ALE_MEMBER(ToEndOfLine, int, Tia, myClocksToEndOfScanLine)
PP_ALE_MEMBER(PlaceBall, int16_t, Tia, myPOSBL)
PP_ALE_MEMBER(PlaceMissile0, int16_t, Tia, myPOSM0)
PP_ALE_MEMBER(PlaceMissile1, int16_t, Tia, myPOSM1)
PP_ALE_MEMBER(PlacePlayer0, int16_t, Tia, myPOSP0)
PP_ALE_MEMBER(PlacePlayer1, int16_t, Tia, myPOSP1)

// The action that a sticky action repeats.
PP_ALE_MEMBER(LastAction, ale::Action, Environment, m_player_a_action)
PP_ALE_MEMBER(LastStrength, float, Environment, m_paddle_a_strength)

PP_ALE_MEMBER(OtherAction, ale::Action, Environment, m_player_b_action)
PP_ALE_MEMBER(OtherStrength, float, Environment, m_paddle_b_strength)
PP_ALE_MEMBER(PlayState, ale::ALEState, Environment, m_state)
PP_ALE_MEMBER(UsesPaddles, bool, Environment, m_use_paddles)
PP_ALE_MEMBER(Sticky, float, Environment, m_repeat_action_probability)

// The state that ALE counts and holds besides the machine.
using State = ale::ALEState;
PP_ALE_MEMBER(LeftPaddle, int, State, m_left_paddle)
PP_ALE_MEMBER(RightPaddle, int, State, m_right_paddle)
PP_ALE_MEMBER(FrameNumber, int, State, m_frame_number)
PP_ALE_MEMBER(EpisodeFrameNumber, int, State, m_episode_frame_number)
PP_ALE_MEMBER(Mode, ale::game_mode_t, State, m_mode)
PP_ALE_MEMBER(Difficulty, ale::difficulty_t, State, m_difficulty)
using JoystickKeys = void(ale::stella::Event*, int, int);
using PaddleKeys = void(ale::stella::Event*, int, float, int, float);
PP_ALE_MEMBER(ApplyJoysticks, JoystickKeys, State, applyActionJoysticks)
PP_ALE_MEMBER(ApplyPaddles, PaddleKeys, State, applyActionPaddles)

// The properties that ALE knows of ROMs, by their MD5.
PP_ALE_MEMBER(KnownRoms, ale::stella::PropertiesSet*, ale::stella::OSystem, myPropSet)

// These serve a console that is made of bytes instead of a file (rom.cpp).
using Host = ale::stella::OSystem;
using QueryConsoleCall = bool(const uint8_t*, uint32_t, const std::string&,
                              ale::stella::Cartridge**, ale::stella::Properties&);
PP_ALE_MEMBER(HostConsole, ale::stella::Console*, Host, myConsole)
PP_ALE_MEMBER(HostScreen, ale::stella::Screen*, Host, myScreen)
PP_ALE_MEMBER(QueryConsole, QueryConsoleCall, Host, queryConsoleInfo)

// The chips of a console.
using DeviceList = ale::stella::Device* [100];
PP_ALE_MEMBER(Devices, DeviceList, System, myDevices)
PP_ALE_MEMBER(DeviceCount, uint32_t, System, myNumberOfDevices)

template <class Wanted>
Wanted* find_device(const System& system) {
  auto& devices = system.*member(Devices{});
  for (uint32_t i = 0; i < system.*member(DeviceCount{}); ++i) {
    if (auto* device = dynamic_cast<Wanted*>(devices[i])) return device;
  }
  throw std::logic_error("ALE's system lacks a chip");
}

// These serve our own machine in ALE's console (fast_console.cpp).
using Console = ale::stella::Console;
using Cartridge = ale::stella::CartridgeDPC;
PP_ALE_MEMBER(Source, ale::stella::MediaSource*, Console, myMediaSource)
PP_ALE_MEMBER(RiotTimer, uint32_t, ale::stella::M6532, myTimer)
using EightBytes = uint8_t[8];
using EightWords = uint16_t[8];
using ThreeFlags = bool[3];
PP_ALE_MEMBER(DpcTops, EightBytes, Cartridge, myTops)
PP_ALE_MEMBER(DpcBottoms, EightBytes, Cartridge, myBottoms)
PP_ALE_MEMBER(DpcCounters, EightWords, Cartridge, myCounters)
PP_ALE_MEMBER(DpcFlags, EightBytes, Cartridge, myFlags)
PP_ALE_MEMBER(DpcMusic, ThreeFlags, Cartridge, myMusicMode)
PP_ALE_MEMBER(DpcRandom, uint8_t, Cartridge, myRandomNumber)

// The tables that the masks point into.
#define PP_ALE_TABLE(tag, type, name)  \
  struct tag {                         \
    using Type = type*;                \
    friend constexpr Type member(tag); \
  };                                   \
  template struct Export<tag, &Tia::name>;

using BallTable = uint8_t[4][4][320];
using DisabledTable = const uint8_t[640];
using MissileTable = uint8_t[4][8][4][320];
using PlayerTable = uint8_t[4][2][8][320];
using PlayfieldTable = uint32_t[2][160];
PP_ALE_TABLE(TableBall, BallTable, ourBallMaskTable)
PP_ALE_TABLE(TableDisabled, DisabledTable, ourDisabledMaskTable)
PP_ALE_TABLE(TableMissile, MissileTable, ourMissleMaskTable)
PP_ALE_TABLE(TablePlayer, PlayerTable, ourPlayerMaskTable)
PP_ALE_TABLE(TablePlayfield, PlayfieldTable, ourPlayfieldTable)

#undef PP_ALE_TABLE

}  // namespace pp::atari::ale_private

#endif  // PARALLEL_POOL_ATARI_ALE_PRIVATE_HPP_
