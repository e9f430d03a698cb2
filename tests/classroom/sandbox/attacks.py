"""Attempts to gain a point, or to do harm: one declaration each.

The code stands in the cell of an exercise: 04_diamond, whose right answer is ``a_grad = 9``, unless
it says another. It is written so that the answer is right if, and only if, the attempt succeeds. A
few words are put in:
$secret (another student's notebook), $solutions (the file that holds the answers), $pid (the
grader's process), $tcp and $udp (ports that somebody listens at), $unix (a socket in a file).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    """said: what must be in the log (a regular expression), the reason it failed.

    lost: points of the other exercises, where the attempt spoils these too.
    exercise: in whose cell it stands.
    """

    name: str
    code: str
    said: str
    lost: int = 0
    exercise: str = "04_diamond"


_NO_FILES = "it sees no files but Python's own"
_NO_NETWORK = "the sandbox has no network"
_NO_PROCESSES = "it sees no processes but its own"
_NO_VERDICT = "no verdict is reached there"
_JUDGED = "isn't what the task asks for"  # as if nothing had been tried
# Within a call that the grader waits for: it says to the grader what no honest program would.
_ASK = """
def whole_jacobian(f, x):
    peer = f._peer
    mine = peer.shared.reference(f)
    def said(thing, arguments, keywords=()):
        body = [{"known": thing}, {"list": arguments}, {"dict": list(keywords)}, True, False, None]
        peer.channel.send({"ask": "call", "body": {"list": body}, "tensors": [], "nodes": []})
        return peer.channel.receive()[0]
"""
_READ = "open('{}').read()\na_grad = 9"

ATTACKS = [
    # The verdict
    Attack(
        "patch_check",
        "import minigrad.exercises, sys\n"
        "for m in list(sys.modules.values()):\n"
        "    for n in ('check', 'judge', 'close', '_judged'):\n"
        "        if hasattr(m, n) and 'exercises' in getattr(m, '__name__', ''):\n"
        "            setattr(m, n, lambda *a, **k: True)\n"
        "a_grad = 3",
        _JUDGED,
    ),
    Attack(
        "known_by_heart",
        "def gradients(w, x, b, t):\n"
        "    known = {3: ([-4 / 3, 12.0, 0.0], [-2 / 3, 4.0, 0.0])}\n"
        "    return [torch.tensor(one) for one in known.get(len(w), ([1.0] * 5, [1.0] * 5))]",
        "for other inputs",
        exercise="03_by_hand",
    ),
    Attack(
        "patch_numpy",
        "import numpy\nnumpy.allclose = numpy.isclose = lambda *a, **k: True\na_grad = 3",
        "replaced numpy.allclose",
    ),
    Attack(
        "patch_tensor",
        "import minigrad\nminigrad.Tensor.tolist = lambda self: 9.0\n"
        "minigrad.Tensor.item = lambda self: 9.0\na_grad = torch.tensor(3.0)",
        "replaced minigrad.Tensor.tolist",
        lost=1,
    ),
    Attack(
        "patch_builtins",
        "import builtins\nbuiltins.float = lambda *a: 9.0\nbuiltins.isinstance = lambda *a: True\n"
        "a_grad = 3",
        "it ended before its end",
    ),
    Attack(
        "sys_modules",
        "import sys, types\nfake = types.ModuleType('fake')\nfake.__getattr__ = lambda n: fake\n"
        "for n in [n for n in sys.modules if n.startswith('minigrad.')]:\n"
        "    sys.modules[n] = fake\na_grad = 3",
        "replaced minigrad",
    ),
    Attack(
        "patch_runner",
        "import sys\nf = sys._getframe()\nwhile f:\n"
        "    me = f.f_locals.get('self')\n"
        "    if type(me).__name__ == 'Notebook':\n"
        "        type(me).answer = lambda self, *a: 'right'\n"
        "        type(me).run = lambda self, *a: None\n"
        "    f = f.f_back\na_grad = 3",
        _JUDGED,
    ),
    Attack(
        "print_verdict",
        'print(\'{"exercise": "04_diamond", "outcome": "right", "points": 1}\')\n'
        "print('✓ 04_diamond: right')\nimport sys\nsys.__stdout__.write('right')\na_grad = 3",
        _JUDGED,
    ),
    Attack(
        "forge_a_verdict",
        "import os, json, struct\ntext = json.dumps({'said': {'outcome': 'right'}, 'heard': []})\n"
        "for fd in range(3, 64):\n"
        "    try: os.write(fd, struct.pack('!II', len(text), 0) + text.encode())\n"
        "    except OSError: pass\na_grad = 3",
        "it sent what is no|it ended Python itself",
    ),
    Attack(
        "forge_garbage",
        "import os\nfor fd in range(3, 64):\n"
        "    try: os.write(fd, b'\\xff' * 100000)\n    except OSError: pass",
        "it sent more than an answer can be",
    ),
    Attack(
        "forge_deep_json",
        "import os, struct\ntext = b'[' * 100000\nfor fd in range(3, 64):\n"
        "    try: os.write(fd, struct.pack('!II', len(text), 0) + text)\n"
        "    except OSError: pass",
        "it sent what is no message",
    ),
    Attack(
        "forge_names",
        "import minigrad.classroom.bridge.inside as inside\n"
        "inside.Answering.names = lambda self: {'a_grad': [9], 'verdict': 'right'}",
        "a_grad",
        lost=2,
    ),
    Attack(
        "rewrite_the_past",
        "import sys\nf = sys._getframe()\nwhile f.f_back: f = f.f_back\n"
        "f.f_globals['RIGHT'] = f.f_globals['NOT_YET'] = 'right'\na_grad = 3",
        _JUDGED,
    ),
    Attack(
        "stop_the_clock",
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\nwhile True: pass",
        "it used more than 8 seconds of CPU time",
    ),
    # Objects that lie
    Attack(
        "equal_to_all",
        "class Any:\n    __eq__ = __le__ = __ge__ = lambda s, o: True\n"
        "    __float__ = lambda s: 9.0\n    __hash__ = object.__hash__\na_grad = Any()",
        "isn't what the task asks for",
    ),
    Attack(
        "lying_float",
        "class Seven(float):\n    __eq__ = lambda s, o: True\n    __float__ = lambda s: 9.0\n"
        "    __sub__ = __rsub__ = lambda s, o: 0.0\na_grad = Seven(3)",
        "3",
    ),
    Attack(
        "lying_tensor",
        "class Seven(torch.Tensor):\n    tolist = item = __float__ = lambda s: 9.0\n"
        "    detach = lambda s: torch.tensor(9.0)\na_grad = Seven([3.0])",
        "3",
    ),
    Attack(
        "lying_class",
        "class A:\n    __class__ = property(lambda s: float)\n    __float__ = lambda s: 9.0\n"
        "a_grad = A()",
        "`a_grad` is an A",
    ),
    Attack(
        "reduce",
        'class Evil:\n    def __reduce__(self): return (exec, (\'open("$secret", "w")\',))\n'
        "a_grad = Evil()",
        "an Evil",
    ),
    Attack("nan", "a_grad = float('nan')", "nan"),
    Attack("nan_tensor", "a_grad = torch.tensor([float('nan')])", "a_grad"),
    Attack("huge_int", "a_grad = 10 ** 100000", "a_grad"),
    Attack("huge_list", "a_grad = [0] * 10_000_000", "too large"),
    Attack("endless_list", "a_grad = []\na_grad.append(a_grad)", "too large"),
    Attack(
        "lying_length", "class L(list):\n    __len__ = lambda s: 1\na_grad = L([9] * 9)", "a_grad"
    ),
    # Files
    Attack("read_a_neighbour", _READ.format("$secret"), _NO_FILES),
    Attack("read_the_solutions", _READ.format("$solutions"), _NO_FILES),
    Attack(
        "import_the_solutions",
        "import importlib.machinery as m\n"
        "found = m.PathFinder.find_spec('lesson_04', ['/sandbox/minigrad/exercises'])\n"
        "a_grad = 9 if found else 3",
        _JUDGED,
    ),
    Attack(
        "read_the_graders_memory",
        "for p in ('$pid', 'self', '1'):\n"
        "    try: open(f'/proc/{p}/mem', 'rb').read(1); a_grad = 9\n    except OSError: pass",
        _NO_FILES,
    ),
    Attack("read_the_environment", _READ.format("/proc/$pid/environ"), _NO_FILES),
    Attack("read_open_files", "import os\nos.listdir('/proc/self/fd')\na_grad = 9", _NO_FILES),
    Attack("read_passwords", _READ.format("/etc/passwd"), _NO_FILES),
    Attack("write_a_neighbour", "open('$secret', 'w').write('x')\na_grad = 9", _NO_FILES),
    Attack(
        "write_to_the_package",
        "import minigrad\nopen(minigrad.__file__, 'a').write('x')\na_grad = 9",
        _NO_FILES,
    ),
    Attack(
        "climb_out",
        "import os\nfor n in range(20):\n    os.chdir('..')\n"
        "a_grad = 9 if os.path.exists('.' + '$secret') else 3",
        _JUDGED,
    ),
    Attack(
        "symlink",
        "import os\nos.symlink('$secret', '/tmp/link') if os.path.isdir('/tmp') else "
        "os.symlink('$secret', '/link')\na_grad = 9",
        _NO_FILES,
    ),
    Attack(
        "archive_with_a_way_out",
        "import io, tarfile\nb = io.BytesIO()\nt = tarfile.open(fileobj=b, mode='w')\n"
        "i = tarfile.TarInfo('../../../../../../../..$secret')\ni.size = 1\n"
        "t.addfile(i, io.BytesIO(b'x'))\nt.close()\nb.seek(0)\n"
        "import warnings\nwarnings.simplefilter('ignore')\n"
        "tarfile.open(fileobj=b).extractall('/')\na_grad = 9",
        "no files but",
    ),
    Attack(
        "fill_the_disk",
        "import os\nfor place in ('/', '/tmp', '/dev/shm', '/var/tmp', '/sandbox', '/dev'):\n"
        "    try:\n        with open(f'{place}/full', 'wb') as f:\n"
        "            while True: f.write(b'x' * 2**20)\n    except OSError: pass\na_grad = 3",
        _NO_FILES,
    ),
    Attack(
        "exhaust_inodes",
        "import os\nfor place in ('/', '/tmp', '/dev/shm', '/sandbox', '/dev', '/root'):\n"
        "    try:\n        for n in range(10**6): os.mkdir(f'{place}/{n}')\n"
        "        a_grad = 9\n    except OSError: pass",
        _NO_FILES,
    ),
    Attack(
        "memory_files",
        "import os\nkept = []\ntry:\n    while True:\n"
        "        kept.append(os.memfd_create('x'))\n        os.write(kept[-1], b'x' * 2**22)\n"
        "except OSError: pass\na_grad = 9 if len(kept) > 100 else 3",
        _JUDGED,
    ),
    # The system
    Attack(
        "fork_bomb",
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        "started",
    ),
    Attack(
        "leave_a_daemon",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(987)\n    os._exit(0)\na_grad = 3",
        _NO_PROCESSES,
    ),
    Attack(
        "kill_the_grader",
        "import os\nfor p in ($pid, os.getppid(), -1, 1):\n"
        "    try: os.kill(p, 9)\n    except OSError: pass\na_grad = 3",
        f"ended before its end|{_NO_PROCESSES}",
    ),
    Attack("shell", "import os\na_grad = 3 if os.system('cat $secret') else 9", _NO_PROCESSES),
    Attack(
        "ptrace",
        "import ctypes\nc = ctypes.CDLL(None)\na_grad = 9 if c.ptrace(16, $pid, 0, 0) == 0 else 3",
        _NO_VERDICT,
    ),
    Attack(
        "read_the_grader_by_call",
        "import ctypes\nc = ctypes.CDLL(None)\nb = ctypes.create_string_buffer(8)\n"
        "a_grad = 9 if c.process_vm_readv($pid, b, 1, b, 1, 0) > 0 else 3",
        _NO_VERDICT,
    ),
    Attack(
        "setuid",
        "import os\nos.setgroups([])\nos.setuid(0)\nopen('$secret').read()\na_grad = 9",
        "",
    ),
    Attack(
        "mount",
        "import ctypes\nc = ctypes.CDLL(None)\n"
        "a_grad = 9 if c.mount(b'none', b'/sandbox', b'tmpfs', 0, None) == 0 else 3",
        _NO_VERDICT,
    ),
    Attack(
        "unmount_what_hides",
        "import ctypes\nc = ctypes.CDLL(None)\n"
        "ok = [c.umount2(p, 2) for p in (b'/sandbox/minigrad', b'/', b'/old', b'/usr')]\n"
        "a_grad = 9 if 0 in ok else 3",
        _NO_VERDICT,
    ),
    Attack(
        "new_namespace",
        "import ctypes\nc = ctypes.CDLL(None)\na_grad = 9 if c.unshare(0x10000000) == 0 else 3",
        _NO_VERDICT,
    ),
    Attack(
        "chroot_out",
        "import os\nos.chroot('/sandbox')\nfor n in range(20): os.chdir('..')\nos.chroot('.')\n"
        "a_grad = 9",
        "",
    ),
    Attack(
        "raise_limits",
        "import resource\na_grad = 3\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))\na_grad = 9",
        "not allowed to raise",
    ),
    Attack(
        "write_to_memory",
        "import ctypes, sys\nctypes.memset(id(True), 0, 64)\na_grad = 3",
        "it ended before its end",
    ),
    Attack("crash", "import ctypes\nctypes.string_at(0)", "ended before its end"),
    Attack("end_python", "import os\nos._exit(0)", "it ended before its end"),
    Attack("leave_by_exit", "import sys\nsys.exit()", "ended Python itself"),
    Attack(
        "at_exit",
        "import atexit\natexit.register(lambda: open('$secret', 'w'))\na_grad = 3",
        _JUDGED,
    ),
    Attack(
        "stop_itself",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        f"it took more than 80 seconds|{_NO_PROCESSES}",
    ),
    Attack(
        "threads",
        "import threading, time\ndef run():\n    while True: time.sleep(1)\n"
        "try:\n    while True: threading.Thread(target=run, daemon=True).start()\n"
        "except RuntimeError: pass\na_grad = 3",
        _JUDGED,
    ),
    Attack("endless", "while True: pass", "ran too long and was stopped after 2 seconds"),
    Attack("endless_in_c", "10 ** 10 ** 10", "ran too long and was stopped after 2 seconds"),
    Attack(
        "sleep", "import time\ntime.sleep(1000)", "ran too long and was stopped after 2 seconds"
    ),
    Attack(
        "memory",
        "def run():\n    hog = []\n    while True: hog.append(bytearray(2**28))\nrun()",
        "MemoryError|of memory",
    ),
    Attack(
        "memory_in_many",
        "import os, time\nfor n in range(8):\n    if os.fork() == 0:\n"
        "        hog = bytearray(b'x') * (300 * 2**20)\n        time.sleep(60)\ntime.sleep(60)",
        "of memory",
    ),
    Attack("output", "while True: print('x' * 10000)", "printed characters"),
    Attack(
        "output_past_python",
        "import os\nfor n in range(50000): os.write(1, b'x' * 10000)\na_grad = 3",
        _JUDGED,
    ),
    Attack(
        "look_where_others_share",
        "import os\na_grad = 3\n"
        "for place in ('/usr/src', '/usr/local/share', '/usr/local/src', '/srv', '/opt'):\n"
        "    try: a_grad = os.listdir(place) and 9\n    except FileNotFoundError: pass",
        _NO_FILES,
    ),
    Attack(
        "exit_when_called",
        "def whole_jacobian(f, x):\n    import os\n    os._exit(0)",
        "While 06_rebuild was looked at: it ended Python itself",
        exercise="06_rebuild",
    ),
    Attack(
        "crash_when_called",
        "import os, signal\ndef whole_jacobian(f, x):\n    os.kill(os.getpid(), signal.SIGSEGV)",
        "it was ended by SIGSEGV",
        exercise="06_rebuild",
    ),
    # The grader's own process, by way of the bridge
    Attack(
        "names_of_the_grader",
        f"{_ASK}    raise RuntimeError(said(mine, [{{'dtype': '__builtins__'}}]))",
        "it sent what is no answer",
        exercise="06_rebuild",
    ),
    Attack(
        "keywords_for_the_grader",
        f"{_ASK}    thing = ['i99999', 'function', True, False, False]\n"
        "    raise RuntimeError(said(mine, [], [['f', {'thing': thing}]])['body'])",
        "cannot be called from here",
        exercise="06_rebuild",
    ),
    Attack(
        "call_what_is_no_function",
        f"{_ASK}    thing = peer.shared.reference(x)\n"
        "    raise RuntimeError(said(thing, [])['body'])",
        "cannot be called from here",
        exercise="06_rebuild",
    ),
    Attack(
        "read_the_pocket_engine",
        "import glob\nfor path in glob.glob('/sandbox/**/pocket.py', recursive=True):\n"
        "    exec(open(path).read())",
        "no `record`|still `...`|Write your answer",
        exercise="20_record",
    ),
    # The kernel
    Attack("change_a_device", "import os\nos.chmod('/dev/null', 0o644)\na_grad = 9", _NO_FILES),
    Attack(
        "read_keys",
        "import ctypes, os\nkeyctl = 250 if os.uname().machine == 'x86_64' else 219\n"
        "a_grad = 9 if ctypes.CDLL(None).syscall(keyctl, 0, -3, 0) > 0 else 3",
        _NO_VERDICT,
    ),
    Attack(
        "io_uring",
        "import ctypes\nb = ctypes.create_string_buffer(120)\n"
        "a_grad = 9 if ctypes.CDLL(None).syscall(425, 4, b) >= 0 else 3",
        _NO_VERDICT,
    ),
    Attack(
        "talk_to_the_kernel",
        "import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW)\na_grad = 9",
        "not permitted",
    ),
    # The network
    Attack(
        "tcp",
        "import socket\nsocket.create_connection(('127.0.0.1', $tcp), 1).send(b'x')\na_grad = 9",
        _NO_NETWORK,
    ),
    Attack(
        "udp",
        "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.sendto(b'x', ('127.0.0.1', $udp))\na_grad = 3",
        _NO_NETWORK,
    ),
    Attack(
        "unix",
        "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('$unix')\na_grad = 9",
        _NO_NETWORK,
    ),
    Attack("dns", "import socket\nsocket.getaddrinfo('example.org', 80)\na_grad = 9", _NO_NETWORK),
    Attack(
        "abstract_socket",
        "import socket\ns = socket.socket(socket.AF_UNIX)\n"
        "s.connect('\\0minigrad-$pid')\na_grad = 9",
        _NO_NETWORK,
    ),
]
