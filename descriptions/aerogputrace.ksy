# SPDX-License-Identifier: MIT
meta:
  id: aerogputrace
  title: AeroGPU trace
  file-extension: aerogputrace
  license: MIT
  ks-version: "0.9"
  encoding: UTF-8
  endian: le
doc: |
  What a guest's driver submitted to the virtual GPU of the Aero emulator, as docs/aerogpu.md of
  gpudumpfs has it. Finished traces, which have a footer; the recordings of a program that did not
  end orderly stop within their records.
seq:
  - id: header
    type: header
  - id: meta_json
    size: header.len_meta_json
    type: str
  - id: records
    size: footer.ofs_toc - _io.pos
    type: records
instances:
  footer:
    pos: _io.size - 32
    type: footer
  toc:
    pos: footer.ofs_toc
    size: footer.len_toc
    type: toc
types:
  header:
    seq:
      - id: magic
        contents: AEROGPUT
      - id: len_header
        type: u4
        doc: 32
      - id: container_version
        type: u4
        doc: 1 or 2
      - id: abi_version
        type: u4
      - id: flags
        type: u4
      - id: len_meta_json
        type: u4
      - id: reserved
        type: u4
  footer:
    seq:
      - id: magic
        contents: AEROGPUF
      - id: len_footer
        type: u4
        doc: 32
      - id: container_version
        type: u4
      - id: ofs_toc
        type: u8
      - id: len_toc
        type: u8
  toc:
    seq:
      - id: magic
        contents: [AEROTOC, 0]
      - id: toc_version
        type: u4
        doc: 1
      - id: num_frames
        type: u4
      - id: frames
        type: toc_frame
        repeat: expr
        repeat-expr: num_frames
  toc_frame:
    seq:
      - id: frame_index
        type: u4
      - id: flags
        type: u4
      - id: ofs_start
        type: u8
      - id: ofs_present
        type: u8
        doc: "of its present record; 0: it has none"
      - id: ofs_end
        type: u8
  records:
    seq:
      - id: records
        type: record
        repeat: eos
  record:
    seq:
      - id: kind
        type: u1
        enum: record_kind
      - id: flags
        type: u1
      - id: reserved
        type: u2
      - id: len_body
        type: u4
      - id: body
        size: len_body
        type:
          switch-on: kind
          cases:
            'record_kind::begin': frame
            'record_kind::present': frame
            'record_kind::blob': blob
            'record_kind::submission': submission
  frame:
    seq:
      - id: frame_index
        type: u4
  blob:
    seq:
      - id: blob_id
        type: u8
      - id: kind
        type: u4
        enum: blob_kind
      - id: reserved
        type: u4
      - id: data
        size-eos: true
  submission:
    seq:
      - id: record_version
        type: u4
      - id: len_header
        type: u4
        doc: at least 56
      - id: flags
        type: u4
        doc: 1 present, 2 without an interrupt
      - id: context_id
        type: u4
      - id: engine_id
        type: u4
      - id: reserved
        type: u4
      - id: fence
        type: u8
      - id: stream_blob
        type: u8
      - id: allocs_blob
        type: u8
        doc: "0: it has no table of allocations"
      - id: num_ranges
        type: u4
      - id: reserved2
        type: u4
    instances:
      ranges:
        pos: len_header
        type: range
        repeat: expr
        repeat-expr: num_ranges
  range:
    seq:
      - id: alloc_id
        type: u4
      - id: flags
        type: u4
      - id: guest_address
        type: u8
      - id: len_bytes
        type: u8
      - id: blob_id
        type: u8
enums:
  record_kind:
    1: begin
    2: present
    3: packet
    4: blob
    5: submission
  blob_kind:
    1: buffer
    2: texture
    3: dxbc
    4: wgsl
    5: glsl
    0x100: stream
    0x101: allocs
    0x102: memory
