"""The spots that the peers were measured on, by name."""

from __future__ import annotations

from tahur.solvers.postflop.spot import Spot, spot

OOP_B = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP_B = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
OOP_TX = (
    "AA,KK,QQ,JJ,TT,99:0.75,88:0.75,77:0.5,66:0.25,55:0.25,AK,AQs,AQo:0.75,AJs,AJo:0.5,ATs:0.75,A6s:0.25,A5s:0.75,"
    "A4s:0.75,A3s:0.5,A2s:0.5,KQs,KQo:0.5,KJs,KTs:0.75,K5s:0.25,K4s:0.25,QJs:0.75,QTs:0.75,Q9s:0.5,JTs:0.75,J9s:0.75,"
    "J8s:0.75,T9s:0.75,T8s:0.75,T7s:0.75,98s:0.75,97s:0.75,96s:0.5,87s:0.75,86s:0.5,85s:0.5,76s:0.75,75s:0.5,65s:0.75,"
    "64s:0.5,54s:0.75,53s:0.5,43s:0.5"
)
IP_TX = (
    "QQ:0.5,JJ:0.75,TT,99,88,77,66,55,44,33,22,AKo:0.25,AQs,AQo:0.75,AJs,AJo:0.75,ATs,ATo:0.75,A9s,A8s,A7s,A6s,A5s,A4s,"
    "A3s,A2s,KQ,KJ,KTs,KTo:0.5,K9s,K8s,K7s,K6s,K5s,K4s:0.5,K3s:0.5,K2s:0.5,QJ,QTs,Q9s,Q8s,Q7s,JTs,JTo:0.5,J9s,J8s,T9s,"
    "T8s,T7s,98s,97s,96s,87s,86s,76s,75s,65s,64s,54s,53s,43s"
)
B = {"oop": OOP_B, "ip": IP_B, "pot": 200}
FULL = {"oop": "any", "ip": "any", "pot": 200}
R = {"board": "Td9d6hQc2s", "stack": 900, "sizes": "50%,100%,a / 60%,a"}
T = {"board": "Td9d6hQc", "stack": 900, "sizes": "50%,a / 60%,a"}
THRESHOLDS = {"add_all_in": 1.5, "force_all_in": 0.15, "merge": 0.1}

SPOTS: dict[str, Spot] = {
    "R1": spot(**B, **R),
    "R2": spot(**FULL, **R),
    "T0": spot(**B, board="Td9d6hQc", stack=900, sizes="60%,e,a / 2.5x", donk_river="50%", **THRESHOLDS),
    "T1": spot(**B, **T),
    "T2": spot(**FULL, **T),
    "F0": spot(**B, board="Td9d6h", stack=400, sizes="50% / a"),
    "F1": spot(**B, board="Td9d6h", stack=900, sizes="50% / 60%"),
    "F2": spot(
        board="QsJh2h", oop=OOP_TX, ip=IP_TX, pot=10, stack=95, sizes="100%,a / 50%,a",
        turn="oop: 100%,a / 50%,a; ip: 100% / 50%",
    ),
    "F3": spot(**B, board="Td9d6d", stack=900, sizes="50% / 60%"),
}  # fmt: skip
