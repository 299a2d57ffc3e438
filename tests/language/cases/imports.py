"""Every form of import of the allowed modules, at the top, later, in functions, twice; they bring nothing but names."""
import datetime
import datetime as dt
import json
import math
import re
import re as regex, json as j
from dataclasses import dataclass, field
from datetime import date, datetime as moment, time, timedelta, timezone
from enum import Enum
from math import ceil, floor, pi as circle, sqrt
from typing import Any, Dict, List, Literal, Optional, Set, Tuple, Union

from pydantic import BaseModel, Field


def later():
    import math
    from re import sub
    return math.floor(2.5), sub("a", "b", "banana")


answer(datetime.date(2026, 1, 2), dt.timedelta(days=1), moment(2026, 1, 2), date(2026, 5, 6).year, timedelta(hours=3), time(9, 30))
answer(json.loads("[1]"), j.dumps({"a": 1}), math.sqrt(16), sqrt(9), ceil(1.2), floor(1.8), round(circle, 3), round(math.pi, 2))
answer(re.findall("a", "banana"), regex.sub("n", "m", "banana"), later(), timezone.utc)
if True:
    import math
    answer(math.ceil(0.5))
import math; answer(math.floor(7.9))
