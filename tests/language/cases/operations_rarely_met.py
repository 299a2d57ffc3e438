"""What programs seldom use, once each."""
import datetime
import math
import re

a, b, c = {1, 2, 3}, {1, 2, 3}, {1, 2, 3}
a.difference_update([1])
b.intersection_update({2, 3, 4})
c.symmetric_difference_update({3, 4})
answer(sorted(a), sorted(b), sorted(c), sorted(set.union({1}, [2])))
answer("a-b".translate({45: "+", 97: None}), "abc".translate(str.maketrans("ab", "xy")), str.translate("abc", str.maketrans({"a": "1"})))
answer((255).bit_length(), int.bit_length(8), datetime.MINYEAR, datetime.MAXYEAR, datetime.date(1, 1, 1).toordinal())
utc = datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC)
answer(utc.tzname(), utc.timetz(), datetime.timezone.utc == datetime.UTC, utc.utcoffset())
near = [math.acos(0.5), math.asin(0.5), math.atan(1), math.atan2(1, 2), math.acosh(2), math.asinh(1), math.atanh(0.5), math.tan(1)]
more = [math.cosh(1), math.sinh(1), math.tanh(1), math.cbrt(27), math.erf(0.5), math.erfc(0.5), math.exp2(3), math.expm1(0.1)]
rest = [math.gamma(5), math.lgamma(5), math.log1p(0.5), math.remainder(7, 3)]
answer([round(x, 9) for x in near + more + rest], math.frexp(8.0))
answer(re.findall(r"a  # the letter", "banana", re.X), re.findall(r"\w", "é", re.A), re.findall(r"\w", "é", re.U | re.NOFLAG), re.findall("é", "É", re.UNICODE | re.I))
