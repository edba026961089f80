#!/usr/bin/env python3
"""The lesson's model in PyTorch eager (float32, one thread): the peer that the engine is measured against.

    OMP_NUM_THREADS=1 python3 peer_torch.py

Reads lines "V D H T B SECONDS" and answers each with the microseconds of processor time that a step took, window
by window of about 20 ms: so that another program can take turns with it. Ends with its input.
"""
import math
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

WINDOW = 0.1
torch.set_num_threads(1)


class LanguageModel(nn.Module):
    def __init__(self, V, D, H, T):
        super().__init__()
        self.H, self.d_head = H, D // H
        self.token_emb, self.qkv_proj = nn.Embedding(V, D), nn.Linear(D, 3 * D)
        self.out_proj, self.lm_head = nn.Linear(D, D), nn.Linear(D, V)
        angle = torch.arange(T)[:, None] / 10000 ** (2 * torch.arange(D // 2) / D)
        self.register_buffer("positions", torch.stack((angle.sin(), angle.cos()), -1).reshape(T, D))
        self.register_buffer("hidden", torch.ones(T, T).triu(1).bool())

    def forward(self, ids):
        B, T = ids.shape
        x = self.token_emb(ids) + self.positions
        q, k, v = (t.view(B, T, self.H, self.d_head).transpose(1, 2) for t in self.qkv_proj(x).chunk(3, -1))
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.d_head)
        weights = scores.masked_fill(self.hidden, float("-inf")).softmax(-1)
        return self.lm_head(self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, -1)))


class Run:
    def __init__(self, V, D, H, T, B):
        torch.manual_seed(0)
        self.V, self.T, self.B = V, T, B
        self.model = LanguageModel(V, D, H, T)
        self.adam = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        self.step()

    def step(self):
        ids = torch.randint(0, self.V, (self.B, 1)).expand(self.B, self.T).contiguous()
        loss = F.cross_entropy(self.model(ids).reshape(-1, self.V), ids.reshape(-1))
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        self.adam.step()
        loss.item()

    def windows(self, seconds):
        steps, end = 1, time.thread_time() + seconds
        while time.thread_time() < end:
            start = time.thread_time()
            for _ in range(steps):
                self.step()
            each = (time.thread_time() - start) / steps
            yield each
            steps = max(1, round(WINDOW / each))


if __name__ == "__main__":
    runs = {}
    for line in sys.stdin:
        *sizes, seconds = line.split()
        sizes = tuple(map(int, sizes))
        run = runs[sizes] if sizes in runs else runs.setdefault(sizes, Run(*sizes))
        print(*(f"{each * 1e6:.2f}" for each in run.windows(float(seconds))), flush=True)
