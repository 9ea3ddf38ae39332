//! Compares the compiled filter with `seccompiler`'s for every call number and many arguments, both run by a small interpreter.

use std::collections::BTreeMap;

use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JGT, BPF_JMP, BPF_K, BPF_LD, BPF_RET,
    BPF_W,
};
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use super::policy::{ALLOWED, CHECKS, TABLE, Verdict, table};

const X86_64: u32 = 0xC000_003E;
const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const EPERM: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const ENOSYS: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
const ENOTSUP: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOTSUP as u32;

type Instruction = (u16, u8, u8, u32);

/// Runs a program over `struct seccomp_data` as the kernel does.
fn run(program: &[Instruction], arch: u32, number: u32, arguments: [u64; 6]) -> u32 {
    let word = |offset: u32| match offset {
        0 => number,
        4 => arch,
        16..64 => {
            let argument = arguments[(offset as usize - 16) / 8];
            if offset.is_multiple_of(8) {
                argument as u32
            } else {
                (argument >> 32) as u32
            }
        }
        other => panic!("load of {other}"),
    };
    let (mut at, mut accumulator) = (0_usize, 0_u32);
    loop {
        let (code, jt, jf, k) = program[at];
        at += 1;
        let code = u32::from(code);
        let branch = |yes| usize::from(if yes { jt } else { jf });
        match code {
            c if c == BPF_LD | BPF_W | BPF_ABS => accumulator = word(k),
            c if c == BPF_ALU | BPF_AND | BPF_K => accumulator &= k,
            c if c == BPF_JMP | BPF_JA => at += k as usize,
            c if c == BPF_JMP | BPF_JEQ | BPF_K => at += branch(accumulator == k),
            c if c == BPF_JMP | BPF_JGE | BPF_K => at += branch(accumulator >= k),
            c if c == BPF_JMP | BPF_JGT | BPF_K => at += branch(accumulator > k),
            c if c == BPF_RET | BPF_K => return k,
            other => panic!("instruction {other:#x}"),
        }
    }
}

fn ours() -> Vec<Instruction> {
    super::compile()
        .iter()
        .map(|i| (i.code, i.jt, i.jf, i.k))
        .collect()
}

fn theirs() -> Vec<Instruction> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().map(|call| (*call, vec![])).collect();
    for check in &CHECKS {
        let length = if check.whole {
            SeccompCmpArgLen::Qword
        } else {
            SeccompCmpArgLen::Dword
        };
        let rule = |value: u32| {
            let test = SeccompCmpOp::MaskedEq(if check.whole {
                u64::MAX
            } else {
                check.mask.into()
            });
            let condition =
                SeccompCondition::new(check.argument as u8, length.clone(), test, value.into());
            SeccompRule::new(vec![condition.unwrap()]).unwrap()
        };
        rules.insert(check.call, check.values.iter().copied().map(rule).collect());
    }
    let action = SeccompAction::Errno(libc::EPERM as u32);
    let filter =
        SeccompFilter::new(rules, action, SeccompAction::Allow, TargetArch::x86_64).unwrap();
    let program: seccompiler::BpfProgram = filter.try_into().unwrap();
    program.iter().map(|i| (i.code, i.jt, i.jf, i.k)).collect()
}

/// Argument values around everything the policy compares with.
fn samples() -> Vec<u64> {
    let mut values = vec![
        0,
        1,
        2,
        u64::MAX,
        1 << 32,
        0xFFFF_FFFF,
        (1 << 32) | 0xFFFF_FFFF,
    ];
    values.extend((0..64).map(|bit| 1_u64 << bit));
    for value in CHECKS.iter().flat_map(|check| check.values) {
        let value = u64::from(*value);
        values.extend([value, value + 1, value.wrapping_sub(1), value | 1 << 40]);
    }
    values
}

#[test]
fn both_filters_agree_on_every_number_and_argument() {
    let (ours, theirs, samples) = (ours(), theirs(), samples());
    let verdicts = table();
    for number in 0..600_u32 {
        for value in &samples {
            let arguments = [*value; 6];
            let mine = run(&ours, X86_64, number, arguments);
            let reference = run(&theirs, X86_64, number, arguments);
            // The reference knows only one refusal; ours gives three, none of which lets the call through.
            let same = if mine == ALLOW { ALLOW } else { EPERM };
            assert_eq!(
                same, reference,
                "call {number} argument {value:#x}: {mine:#x}"
            );
            assert!(
                [ALLOW, EPERM, ENOSYS, ENOTSUP].contains(&mine),
                "call {number}: {mine:#x}"
            );
        }
        if let Some(Verdict::Fail(errno)) = verdicts.get(number as usize) {
            assert_eq!(
                run(&ours, X86_64, number, [0; 6]),
                libc::SECCOMP_RET_ERRNO | u32::from(*errno)
            );
        }
    }
}

#[test]
fn refusals_have_the_error_that_libraries_expect() {
    let program = ours();
    let verdict = |number: i64, argument: u64| run(&program, X86_64, number as u32, [argument; 6]);
    for (call, argument, expected) in [
        (libc::SYS_read, 0, ALLOW),
        (libc::SYS_clone3, 0, ENOSYS),
        (libc::SYS_clone, 0x0001_0011, ALLOW),
        (libc::SYS_clone, 0x1000_0000, EPERM),
        (libc::SYS_socket, 1, EPERM),
        (libc::SYS_socketpair, 1, ALLOW),
        (libc::SYS_socketpair, 2, EPERM),
        (libc::SYS_getxattr, 0, ENOTSUP),
        (libc::SYS_ptrace, 0, EPERM),
        (libc::SYS_io_uring_setup, 0, EPERM),
        (libc::SYS_mount, 0, EPERM),
        (libc::SYS_bpf, 0, EPERM),
        (libc::SYS_mknodat, 0, EPERM),
        (400, 0, ENOSYS),
        (TABLE as i64, 0, ENOSYS),
        (0x4000_0000, 0, ENOSYS),
        (0x4000_0000 + libc::SYS_read, 0, ENOSYS),
        (u32::MAX.into(), 0, ENOSYS),
    ] {
        assert_eq!(
            verdict(call, argument),
            expected,
            "call {call} argument {argument:#x}"
        );
    }
    for foreign in [0x4000_0003, 0xC000_00B7, 0] {
        assert_eq!(
            run(&program, foreign, 0, [0; 6]),
            libc::SECCOMP_RET_KILL_PROCESS
        );
    }
}

#[test]
fn the_program_is_short_and_every_path_is_shorter() {
    let program = ours();
    assert!(program.len() < 700, "{} instructions", program.len());
    assert!(theirs().len() > 2 * program.len());
}
