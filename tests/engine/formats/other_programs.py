"""Other programs at both ends of Headscope's files: numpy for NPY and NPZ, a few lines of Python that share
nothing with the program for safetensors. `write DIR` makes files for it to read, `read DIR` says what is in
those it wrote, a line for each array: file, name, type, shape and the values in row-major order."""

import json
import pathlib
import struct
import sys

import numpy

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U64": "<u8", "BOOL": "|b1"}


def tell(file, name, array):
    assert array.flags.c_contiguous
    values = " ".join(repr(float(value)) for value in array.ravel())
    print(f"{file.name} {name} {array.dtype.str} {list(array.shape)} {values}".rstrip())


def safetensors(file):
    content = file.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length].decode("utf-8"))
    data = content[8 + length :]
    used = 0
    for key, value in header.pop("__metadata__", {}).items():
        assert isinstance(value, str)
        print(f"{file.name} __metadata__ {key} {value}")
    for name, entry in sorted(header.items()):
        begin, end = entry["data_offsets"]
        dtype = numpy.dtype(DTYPES[entry["dtype"]])
        assert begin % dtype.itemsize == 0
        used += end - begin
        yield name, numpy.frombuffer(data[begin:end], dtype).reshape(entry["shape"])
    assert used == len(data) and (8 + length) % 8 == 0


def read(directory):
    for file in sorted(directory.iterdir()):
        if file.suffix == ".npy":
            tell(file, "-", numpy.load(file, allow_pickle=False))
        elif file.suffix == ".npz":
            with numpy.load(file, allow_pickle=False) as arrays:
                for name in sorted(arrays.files):
                    tell(file, name, arrays[name])
        else:
            for name, array in safetensors(file):
                tell(file, name, array)


def write(directory):
    count = numpy.arange(24).reshape(2, 3, 4)
    for type in ("<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "|i1", "<i2", ">i4", "<i8", "|u1", ">u2", "<u4", ">u8"):
        for order in "CF":
            order_name = "rows" if order == "C" else "columns"
            byte_order = "big" if type[0] == ">" else "little"
            numpy.save(directory / f"{type[1:]}_{byte_order}_{order_name}.npy", count.astype(type, order=order))
    for version in ((1, 0), (2, 0), (3, 0)):
        with open(directory / f"version{version[0]}.npy", "wb") as file:
            numpy.lib.format.write_array(file, count.astype("<f4"), version=version)
    numpy.savez(directory / "stored.npz", a=count.astype("<f4"), b=count.astype(">f8", order="F"))
    numpy.savez_compressed(directory / "deflated.npz", a=count.astype("<f4"), b=count.astype("<i2"))
    numpy.save(directory / "objects.pickle.npy", numpy.array([{"a": 1}, None], dtype=object), allow_pickle=True)


{"read": read, "write": write}[sys.argv[1]](pathlib.Path(sys.argv[2]))
