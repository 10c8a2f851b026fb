# SPDX-License-Identifier: MIT
meta:
  id: psxgpu
  title: PlayStation GPU dump
  file-extension: psxgpu
  license: MIT
  ks-version: "0.9"
  encoding: UTF-8
  endian: le
doc: |
  All words that a program sent to the two ports of the PlayStation's GPU, with a mark at every
  VSync, as docs/psx-dump.md of gpudumpfs has them. A dump that is compressed (zstd, xz, gzip) is to
  be expanded before.
seq:
  - id: magic
    contents: PSXGPUDUMPv1
  - id: revision
    size: 2
    doc: "\"r1\": packets begin at 16; two zeros: at 14, as DuckStation writes"
  - id: padding
    size: 2
    if: revision == [0x72, 0x31]
  - id: packets
    type: packet
    repeat: eos
types:
  packet:
    seq:
      - id: header
        type: u4
      - id: body
        size: num_words * 4
        type:
          switch-on: kind
          cases:
            'packet_kind::gp0': words
            'packet_kind::gp1': words
            'packet_kind::vsync': words
            'packet_kind::discard': words
            'packet_kind::readback': words
            'packet_kind::version': words
            'packet_kind::game': text
            'packet_kind::video': text
            'packet_kind::comment': text
    instances:
      num_words:
        value: header & 0xffffff
      kind:
        value: header >> 24
        enum: packet_kind
  words:
    seq:
      - id: words
        type: u4
        repeat: eos
  text:
    seq:
      - id: value
        type: str
        size-eos: true
        terminator: 0
enums:
  packet_kind:
    0x00:
      id: gp0
      doc: words written to port 0; commands run on from one packet to the next
    0x01:
      id: gp1
      doc: words written to port 1, one command each
    0x02:
      id: vsync
      doc: the end of a frame; none, or up to 64 bits of time in cycles of 33.8688 MHz, low word first
    0x03:
      id: discard
      doc: how many words were read from port 0 and thrown away
    0x04:
      id: readback
      doc: how many words were read from port 0 and kept
    0x05:
      id: begin
      doc: the trace begins; what came before restored the state
    0x06:
      id: version
      doc: the GPU and its memory
    0x10:
      id: game
      doc: a string, filled up with zeros
    0x11:
      id: video
      doc: a string, filled up with zeros; NTSC or PAL
    0x12:
      id: comment
      doc: a string, filled up with zeros
