//! Dial: find the number of a dial by its clicks. A plugin in Rust, without crates.
//!
//! Nothing may unwind out of a function that the host calls: `guarded` makes an error of a panic.
mod abi;
use abi::*;
use std::ffi::{c_void, CStr, CString};
use std::mem::size_of;
use std::os::raw::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;

const NUMBERS: i32 = 40;
const OBS: usize = 0;
const REWARD: usize = 1;
const TERMINATED: usize = 2;
const ACTION: usize = 3;

macro_rules! text {
    ($text:expr) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

// ---- what it looks like -------------------------------------------------------------------------
const PLAIN: Field = Field {
    struct_size: size_of::<Field>() as u32,
    role: 0,
    kind: KIND_BOX,
    dtype: INT32,
    flags: 0,
    ndim: 0,
    shape: [0; 8],
    name: text!(""),
    low: null(),
    high: null(),
    n_low: 0,
    n_high: 0,
};
static LOWEST: [i32; 2] = [0, 0];
static HIGHEST: [i32; 2] = [NUMBERS - 1, 2];
static TURNS: [i32; 2] = [0, 3];
/// The number that the dial shows, and how loud it clicks: 2 near the secret one, 1 not far from it, else 0.
static SEEN: Field = Field {
    role: ROLE_OBS,
    ndim: 1,
    shape: [2, 0, 0, 0, 0, 0, 0, 0],
    low: &LOWEST as *const _ as *const c_void,
    high: &HIGHEST as *const _ as *const c_void,
    n_low: 2,
    n_high: 2,
    ..PLAIN
};
static PAID: Field = Field {
    role: ROLE_REWARD,
    dtype: FLOAT64,
    ..PLAIN
};
static FOUND: Field = Field {
    role: ROLE_TERMINATED,
    kind: KIND_MULTI_BINARY,
    dtype: BOOL,
    ..PLAIN
};
/// One or five to the left or to the right.
static TURN: Field = Field {
    role: ROLE_ACTION,
    kind: KIND_DISCRETE,
    low: &TURNS[0] as *const _ as *const c_void,
    high: &TURNS[1] as *const _ as *const c_void,
    n_low: 1,
    n_high: 1,
    ..PLAIN
};
static FIELDS: [&Field; 4] = [&SEEN, &PAID, &FOUND, &TURN];
static SPEC: Spec = Spec {
    struct_size: size_of::<Spec>() as u32,
    n_field: FIELDS.len() as u32,
    field: FIELDS.as_ptr(),
    max_players: 1,
    reserved: 0,
    max_episode_steps: 200,
    reward_threshold: f64::NAN,
};

extern "C" fn describe(_: *const Host, _: *const c_void) -> *const Spec {
    &SPEC
}
extern "C" fn release_spec(_: *const Spec) {}

// ---- what it does -------------------------------------------------------------------------------
#[derive(Clone, Copy, Default)]
struct Dial {
    random: u64,
    secret: i32,
    shown: i32,
}

impl Dial {
    fn draw(&mut self) -> i32 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15); // splitmix64
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % NUMBERS as u64) as i32
    }
    fn reset(&mut self) {
        self.secret = self.draw();
        self.shown = self.draw();
        while self.shown == self.secret {
            self.shown = self.draw();
        }
    }
    fn turn(&mut self, action: i32) {
        let by = [-5, -1, 1, 5][action as usize];
        self.shown = (self.shown + by).rem_euclid(NUMBERS);
    }
    fn loudness(&self) -> i32 {
        let way = (self.shown - self.secret).rem_euclid(NUMBERS);
        match way.min(NUMBERS - way) {
            0..=2 => 2,
            3..=8 => 1,
            _ => 0,
        }
    }
}

struct Dials {
    host: *const Host,
    dials: Vec<Dial>,
}

impl Dials {
    fn fail(&self, lane: u32, why: &str) -> i32 {
        let text = CString::new(why).unwrap_or_default();
        unsafe { ((*self.host).set_error)(self.host, lane, text.as_ptr()) };
        1
    }
}

/// What `work` returns for this shard; of a panic an error for all lanes.
fn guarded(shard: *mut c_void, work: impl FnOnce(&mut Dials) -> i32) -> i32 {
    let dials = unsafe { &mut *(shard as *mut Dials) };
    match catch_unwind(AssertUnwindSafe(|| work(dials))) {
        Ok(status) => status,
        Err(_) => dials.fail(ALL_LANES, "the plugin panicked"),
    }
}

extern "C" fn create(host: *const Host, shard: *const Shard) -> *mut c_void {
    let dials = vec![Dial::default(); unsafe { (*shard).count } as usize];
    Box::into_raw(Box::new(Dials { host, dials })) as *mut c_void
}

extern "C" fn destroy(shard: *mut c_void) {
    drop(unsafe { Box::from_raw(shard as *mut Dials) });
}

/// Each dial of a call that is not left out, with its row.
unsafe fn each(dials: &mut Dials, call: &Lanes, mut work: impl FnMut(&mut Dial, usize)) {
    for row in 0..call.count as usize {
        if call.mask.is_null() || *call.mask.add(row) != 0 {
            work(&mut dials.dials[call.first as usize + row], row);
        }
    }
}

unsafe fn show(dial: &Dial, call: &Lanes, row: usize) {
    let found = dial.shown == dial.secret;
    let seen = *call.field.add(OBS) as *mut i32;
    if !seen.is_null() {
        *seen.add(2 * row) = dial.shown;
        *seen.add(2 * row + 1) = dial.loudness();
    }
    *(*call.field.add(REWARD) as *mut f64).add(row) = if found { 0.0 } else { -1.0 };
    *(*call.field.add(TERMINATED) as *mut u8).add(row) = found as u8;
}

extern "C" fn reset(shard: *mut c_void, lanes: *const Lanes) -> i32 {
    guarded(shard, |dials| unsafe {
        let call = &*lanes;
        each(dials, call, |dial, row| {
            if !call.seed.is_null() {
                dial.random = *call.seed.add(row);
            }
            dial.reset();
            show(dial, call, row);
        });
        0
    })
}

extern "C" fn step(shard: *mut c_void, lanes: *const Lanes) -> i32 {
    guarded(shard, |dials| unsafe {
        let call = &*lanes;
        let actions = *call.field.add(ACTION) as *const i32;
        each(dials, call, |dial, row| {
            dial.turn(*actions.add(row));
            show(dial, call, row);
        });
        0
    })
}

// ---- states -------------------------------------------------------------------------------------
const BYTES: usize = 16;

extern "C" fn state_size(_: *mut c_void, _: u32) -> i64 {
    BYTES as i64
}
extern "C" fn save(shard: *mut c_void, lane: u32, bytes: *mut u8, _: u64) -> i64 {
    let status = guarded(shard, |dials| {
        let dial = dials.dials[lane as usize];
        let mut text = [0; BYTES];
        text[..8].copy_from_slice(&dial.random.to_ne_bytes());
        text[8..12].copy_from_slice(&dial.secret.to_ne_bytes());
        text[12..].copy_from_slice(&dial.shown.to_ne_bytes());
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), bytes, BYTES) };
        0
    });
    if status == 0 {
        BYTES as i64
    } else {
        -1
    }
}
extern "C" fn load(shard: *mut c_void, lane: u32, bytes: *const u8, size: u64) -> i32 {
    guarded(shard, |dials| {
        let text = unsafe { std::slice::from_raw_parts(bytes, size as usize) };
        let known = |number: i32| (0..NUMBERS).contains(&number);
        if text.len() == BYTES {
            let random = u64::from_ne_bytes(text[..8].try_into().unwrap());
            let secret = i32::from_ne_bytes(text[8..12].try_into().unwrap());
            let shown = i32::from_ne_bytes(text[12..].try_into().unwrap());
            if known(secret) && known(shown) {
                dials.dials[lane as usize] = Dial {
                    random,
                    secret,
                    shown,
                };
                return 0;
            }
        }
        dials.fail(lane, "this is no state of a dial")
    })
}
static STATE: State = State {
    struct_size: size_of::<State>() as u32,
    n_local_option: 0,
    local_option: null(),
    size: state_size,
    save,
    load,
};

extern "C" fn get_extension(id: *const c_char) -> *const c_void {
    match unsafe { CStr::from_ptr(id) }.to_bytes() {
        b"pp.state/1" => &STATE as *const _ as *const c_void,
        _ => null(),
    }
}

// ---- the plugin ---------------------------------------------------------------------------------
static CRACK: Env = Env {
    struct_size: size_of::<Env>() as u32,
    flags: 0,
    preferred_lanes: 64,
    n_option: 0,
    id: text!("dial/Crack-v0"),
    summary: text!("Find the number of a dial by its clicks"),
    option: null(),
    describe,
    release_spec,
    create,
    destroy,
    reset,
    step,
    get_extension,
};
static ENVS: [&Env; 1] = [&CRACK];

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static parallel_pool_plugin: Plugin = Plugin {
    magic: MAGIC,
    abi_major: 0,
    abi_minor: 1,
    min_host_minor: 1,
    name: text!("dial"),
    version: text!(env!("PLUGIN_VERSION")),
    struct_size: size_of::<Plugin>() as u32,
    n_env: ENVS.len() as u32,
    env: ENVS.as_ptr(),
};
