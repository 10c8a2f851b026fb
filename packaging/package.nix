# SPDX-License-Identifier: MIT
# Nix: nix-build -E 'with import <nixpkgs> { }; callPackage ./packaging/package.nix { }', from a clone.
{ lib, stdenv, autoreconfHook, pkg-config, protobufc, brotli, fuse3, isa-l, jansson, libdeflate
, libffi, libglvnd, libpng, lz4, mesa, patchelf, spirv-cross, sqlite, uthash, vkd3d, vulkan-headers, xz, zlib, zstd }:

stdenv.mkDerivation {
  pname = "gpudumpfs";
  version = "1.0.0";
  src = lib.cleanSource ./..;

  nativeBuildInputs = [ autoreconfHook patchelf pkg-config protobufc ];
  buildInputs = [
    brotli
    fuse3
    isa-l
    jansson
    libdeflate
    libffi
    libglvnd
    libpng
    lz4
    protobufc
    spirv-cross
    sqlite
    uthash
    vkd3d
    vulkan-headers
    xz
    zlib
    zstd
  ];
  enableParallelBuilding = true;

  # The worker loads lavapipe by its name.
  postFixup = ''
    patchelf --add-rpath ${lib.getLib mesa}/lib $out/libexec/gpudumpfs-glworker
  '';

  meta = {
    description = "Mounts a GPU dump or trace as a directory of pictures and texts";
    license = lib.licenses.mit;
    platforms = lib.platforms.linux;
    mainProgram = "gpudumpfs";
  };
}
