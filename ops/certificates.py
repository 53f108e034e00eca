"""A private certificate authority for tests and trials; production services use their operator's certificates."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFE: Final = timedelta(days=7)
SKEW: Final = timedelta(hours=1)


class Certificate(msgspec.Struct, frozen=True):
    """The files of one host."""

    ca: Path
    certificate: Path
    key: Path


class Authority:
    """A certificate authority whose key is never stored."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a house of its own")])
        builder = self._builder(self._name, self._key).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), True
        )
        self.ca: Final = folder / "ca.pem"
        self.ca.write_bytes(self._sign(builder))

    def certificate_of(self, name: str, *addresses: str) -> Certificate:
        """Issue a certificate for these IP addresses and host names, for servers and clients; write it and its key.

        `name` is the common name and the name of the files, which are replaced. Only the owner can read a new key file;
        the key is not encrypted.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
        builder = (
            self._builder(subject, key)
            .add_extension(x509.SubjectAlternativeName([general_name(each) for each in addresses]), critical=False)
            .add_extension(usage, critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        )
        certificate = Certificate(self.ca, self._folder / f"{name}.pem", self._folder / f"{name}.key")
        certificate.certificate.write_bytes(self._sign(builder))
        certificate.key.touch(mode=0o600)
        certificate.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return certificate

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        """Return the builder of a certificate of this authority, valid from an hour ago for `LIFE`."""
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - SKEW)
            .not_valid_after(now + LIFE)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )

    def _sign(self, builder: x509.CertificateBuilder) -> bytes:
        return builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def general_name(address: str) -> x509.GeneralName:
    """Return an IP address as such, and anything else as a DNS name."""
    try:
        return x509.IPAddress(ip_address(address))
    except ValueError:
        return x509.DNSName(address)
