"""Checks a certificate with securesystemslib (signatures) and in-toto-attestation (statement).

Usage: verify_securesystemslib.py CERTIFICATE PUBLIC_KEY...
"""

import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from google.protobuf.json_format import Parse
from in_toto_attestation.v1 import statement
from in_toto_attestation.v1.statement_pb2 import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

certificate, *paths = sys.argv[1:]
with open(certificate, encoding="utf-8") as file:
    envelope = Envelope.from_dict(json.load(file))
keys = []
for path in paths:
    with open(path, "rb") as file:
        keys.append(SSlibKey.from_crypto(load_pem_public_key(file.read())))
accepted = envelope.verify(keys, len(keys))
parsed = statement.Statement.copy_from_pb(Parse(envelope.payload, Statement()))
parsed.validate()
print(f"{len(accepted)} of {len(keys)} keys; {parsed.pb.predicate_type}; {len(parsed.pb.subject)} subjects")
