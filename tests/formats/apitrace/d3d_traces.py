# SPDX-License-Identifier: MIT
"""Writes traces of Direct3D in the form that apitrace's tracers give them, and reads what gpudump
shows of them. For scripts that have tests/support, tests/hostile and tests/formats/apitrace in
their path."""
import subprocess

import draw_states
from apitrace import Calls, array, blob, opaque, string, uint, varint
from mountlib import GPUDUMP, equal, path, run, start

POINTER = 0x1_2345_6000  # more than 32 bits
FORMATS = [("DXGI_FORMAT_R8G8B8A8_UNORM", 28), ("DXGI_FORMAT_D32_FLOAT", 40), ("DXGI_FORMAT_B8G8R8A8_UNORM", 87),
           ("DXGI_FORMAT_R32G32B32A32_FLOAT", 2), ("D3DFMT_DXT1", 827611204), ("DXGI_FORMAT_UNKNOWN", 0)]


class Device(Calls):
    """Writes calls with structures and enumerations, each of which is defined where it is first
    used."""

    def __init__(self):
        super().__init__()
        self.structs, self.defined = {}, False

    def struct(self, name, **members):
        new, number = name not in self.structs, self.structs.setdefault(name, len(self.structs))
        head = b"\x0c" + varint(number)
        if new:
            head += string(name) + varint(len(members)) + b"".join(map(string, members))
        values = (uint(value) if isinstance(value, int) else value for value in members.values())
        return array(head + b"".join(values))

    def structs_of(self, *structs):
        """Returns an array of structures, each of which struct() has returned as an array of
        one."""
        return array(*(each[2:] for each in structs))

    def format(self, value):
        head, self.defined = b"\x09\0" + (b"" if self.defined else varint(len(FORMATS)) + b"".join(
            string(name) + uint(number) for name, number in FORMATS)), True
        return head + uint(value)

    def make(self, function, **arguments):
        self.call(function, opaque(0x1000), *arguments.values(), result=0, parameters=["this", *arguments])

    def present(self):
        self.call("IDXGISwapChain::Present", opaque(0x2000), 0, 0, result=0, parameters=["this", "SyncInterval", "Flags"])

    def written(self, name):
        """Ends the last frame, writes the trace to a file, and returns its path."""
        self.present()
        with open(path(name), "wb") as file:
            file.write(self.trace())
        return path(name)


def cat(dump, name):
    process = start(GPUDUMP, "cat", dump, name, stdout=subprocess.PIPE)
    data, _ = process.communicate()
    equal(process.returncode, 0, name)
    return data


def rows(dump, name):
    lines = [line.split("\t") for line in cat(dump, name).decode().splitlines()]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def images(dump):
    return run(GPUDUMP, "ls", dump, "resources")[0].split()


def png(dump, name):
    """Returns a picture's bytes per pixel, and its rows."""
    return draw_states.png_rows(cat(dump, name))[1:]


def pixels(dump, name):
    """Returns the same for a picture of the data that a call uploads."""
    return png(dump, "resources/" + name)


def texture(device, data, **members):
    """Creates a Direct3D 11 texture with eight bits per channel, of 4 by 2 pixels unless members
    say otherwise."""
    description = dict(Width=4, Height=2, MipLevels=1, ArraySize=1, Format=device.format(28), Usage=0, BindFlags=8,
                       CPUAccessFlags=0, MiscFlags=0)
    description.update(members)
    device.make("ID3D11Device::CreateTexture2D", pDesc=device.struct("D3D11_TEXTURE2D_DESC", **description),
                pInitialData=data, ppTexture2D=array(opaque(POINTER)))


def initial(device, data, pitch):
    return device.struct("D3D11_SUBRESOURCE_DATA", pSysMem=blob(data), SysMemPitch=pitch, SysMemSlicePitch=0)
