"""System calls that a submission may not make.

Keys, and sockets of rare kinds, are in no namespace; shared memory is in no limit; in the others,
holes of the kernel are found. The filter is a program as seccomp(2) describes it.
"""

import ctypes
import errno
import os
import socket
import struct
import sys

# The names, and their numbers in Linux's tables for x86-64 and for ARM.
_REFUSED = """
    socket 41 198, shmget 29 194, semget 64 190, msgget 68 186, mq_open 240 180, ptrace 101 117,
    syslog 103 116, personality 135 92, pivot_root 155 41, acct 163 89, mount 165 40,
    umount2 166 39, swapon 167 224, reboot 169 142, init_module 175 105, delete_module 176 106,
    quotactl 179 60, kexec_load 246 104, add_key 248 217, request_key 249 218, keyctl 250 219,
    unshare 272 97, splice 275 76, vmsplice 278 75, perf_event_open 298 241,
    fanotify_init 300 262, name_to_handle_at 303 264, open_by_handle_at 304 265, setns 308 268,
    process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272, finit_module 313 273,
    kexec_file_load 320 294, bpf 321 280, userfaultfd 323 282, io_uring_setup 425 425,
    io_uring_enter 426 426, io_uring_register 427 427, open_tree 428 428, move_mount 429 429,
    fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, pidfd_getfd 438 438,
    mount_setattr 442 442
"""
_MACHINES = {"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2)}  # AUDIT_ARCH_…, and a column
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # of linux/bpf_common.h
_ALLOW = (_RETURN, 0, 0, 0x7FFF0000)
_REFUSE = (_RETURN, 0, 0, 0x00050000 | errno.EPERM)
_NUMBER, _MACHINE, _FIRST = 0, 4, 16  # where struct seccomp_data holds them


def refuse_calls() -> None:
    """Have them fail from now on, in this process and those below it. OSError if that can't be."""
    known = _MACHINES.get(os.uname().machine) if sys.platform == "linux" else None
    if known is None:
        return
    program = b"".join(struct.pack("HBBI", *one) for one in _program(*known))
    held = ctypes.create_string_buffer(program)
    filtering = struct.pack("@HP", len(program) // 8, ctypes.addressof(held))
    call = ctypes.CDLL(None, use_errno=True).prctl
    zero, one, two = map(ctypes.c_ulong, range(3))
    if call(38, one, zero, zero, zero) or call(22, two, filtering):  # no_new_privs, seccomp
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _program(machine: int, column: int) -> list[tuple[int, int, int, int]]:
    """Its instructions: a code, how many to skip if it holds and if it does not, and a value."""
    numbers = [int(one.split()[column]) for one in _REFUSED.split(",")]
    program = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, machine), _REFUSE, (_LOAD, 0, 0, _NUMBER)]
    program += [(_AT_LEAST, 0, 1, 1 << 30), _REFUSE]  # calls of yet another table, on x86-64
    for number in numbers[1:]:
        program += [(_EQUAL, 0, 1, number), _REFUSE]
    program += [(_EQUAL, 1, 0, numbers[0]), _ALLOW, (_LOAD, 0, 0, _FIRST)]
    for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6):
        program += [(_EQUAL, 0, 1, family), _ALLOW]
    return [*program, _REFUSE]
