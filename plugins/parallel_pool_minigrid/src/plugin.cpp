// The family: MiniGrid's tasks and BabyAI's levels.
#include "babyai/go_to.hpp"
#include "babyai/level_gen.hpp"
#include "babyai/open.hpp"
#include "babyai/pickup.hpp"
#include "babyai/put_next.hpp"
#include "babyai/unlock.hpp"
#include "kernel.hpp"
#include "tasks/doors.hpp"
#include "tasks/locked_rooms.hpp"
#include "tasks/objects.hpp"
#include "tasks/open_field.hpp"

namespace {

// About ten microseconds of steps.
template <class Level>
constexpr auto kernel() {
  return pp::batch<minigrid::Kernel<Level>, 64>();
}

}  // namespace

// One line each.
PP_PLUGIN("minigrid",                                   //
          kernel<minigrid::Empty>(),                    //
          kernel<minigrid::DistShift>(),                //
          kernel<minigrid::LavaGap>(),                  //
          kernel<minigrid::Crossing>(),                 //
          kernel<minigrid::DynamicObstacles>(),         //
          kernel<minigrid::DoorKey>(),                  //
          kernel<minigrid::FourRooms>(),                //
          kernel<minigrid::MultiRoom>(),                //
          kernel<minigrid::LockedRoom>(),               //
          kernel<minigrid::RedBlueDoors>(),             //
          kernel<minigrid::Playground>(),               //
          kernel<minigrid::Fetch>(),                    //
          kernel<minigrid::GoToDoor>(),                 //
          kernel<minigrid::GoToObject>(),               //
          kernel<minigrid::PutNear>(),                  //
          kernel<minigrid::Memory>(),                   //
          kernel<minigrid::KeyCorridor>(),              //
          kernel<minigrid::Unlock>(),                   //
          kernel<minigrid::UnlockPickup>(),             //
          kernel<minigrid::BlockedUnlockPickup>(),      //
          kernel<minigrid::ObstructedMaze>(),           //
          kernel<minigrid::babyai::GoToObj>(),          //
          kernel<minigrid::babyai::GoToRedBall>(),      //
          kernel<minigrid::babyai::GoToRedBlueBall>(),  //
          kernel<minigrid::babyai::GoToLocal>(),        //
          kernel<minigrid::babyai::GoTo>(),             //
          kernel<minigrid::babyai::GoToDoor>(),         //
          kernel<minigrid::babyai::GoToObjDoor>(),      //
          kernel<minigrid::babyai::ActionObjDoor>(),    //
          kernel<minigrid::babyai::Open>(),             //
          kernel<minigrid::babyai::OpenRedDoor>(),      //
          kernel<minigrid::babyai::OpenDoor>(),         //
          kernel<minigrid::babyai::OpenTwoDoors>(),     //
          kernel<minigrid::babyai::OpenDoorsOrder>(),   //
          kernel<minigrid::babyai::Pickup>(),           //
          kernel<minigrid::babyai::PickupDist>(),       //
          kernel<minigrid::babyai::PickupAbove>(),      //
          kernel<minigrid::babyai::OneRoom>(),          //
          kernel<minigrid::babyai::FindObj>(),          //
          kernel<minigrid::babyai::KeyCorridor>(),      //
          kernel<minigrid::babyai::PutNextLocal>(),     //
          kernel<minigrid::babyai::PutNext>(),          //
          kernel<minigrid::babyai::MoveTwoAcross>(),    //
          kernel<minigrid::babyai::GoToImpUnlock>(),    //
          kernel<minigrid::babyai::Unlock>(),           //
          kernel<minigrid::babyai::UnlockLocal>(),      //
          kernel<minigrid::babyai::UnlockPickup>(),     //
          kernel<minigrid::babyai::UnlockToUnlock>(),   //
          kernel<minigrid::babyai::LevelGen>());
