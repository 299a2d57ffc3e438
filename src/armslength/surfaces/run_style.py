"""How the page of a run looks: light and dark, on a screen and on paper."""

from __future__ import annotations

STYLE = """\
:root{color-scheme:light dark;--paper:#fbfaf8;--ink:#1d1f23;--soft:#6b6f76;--line:#dedcd6;--card:#ffffff;--mine:#2f6f5e;--mine-soft:#e6f1ed;
--others:#a8551a;--others-soft:#fbeee2;--bad:#b3261e;--bad-soft:#fbe5e3;--good:#2f6f5e}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e6e5e1;--soft:#9a9da3;--line:#33363b;--card:#1c1f23;--mine:#7cc4ae;
--mine-soft:#1d2f2a;--others:#e8a66b;--others-soft:#33271b;--bad:#ff9a91;--bad-soft:#3d1f1d;--good:#7cc4ae}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
header,main,footer{max-width:1128px;margin:0 auto;padding:0 24px}
header{padding-top:36px}
h1{font-size:25px;line-height:1.2;margin:0 0 4px;font-weight:650;letter-spacing:-.01em}
h2{font-size:17px;margin:36px 0 10px;font-weight:650}
h3{font-size:15px;margin:0 0 6px;font-weight:650}
p{margin:4px 0}
small,.soft{color:var(--soft);font-size:13px}
section{break-inside:auto}
.verified,.unverified{margin:16px 0;padding:9px 14px;border-radius:8px;border:1px solid;font-weight:550}
.verified{color:var(--good);background:var(--mine-soft);border-color:var(--good)}
.unverified{color:var(--bad);background:var(--bad-soft);border-color:var(--bad);border-width:2px}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:10px;margin:14px 0 0}
dl div{border-top:1px solid var(--line);padding-top:6px}
dt{color:var(--soft);font-size:12px}
dd{margin:0;font-weight:550;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
pre{font:12.5px/1.55 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.said,.program,.screen,.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px}
.said pre{font:inherit}
.program ol{margin:0;padding-left:46px;font:12.5px/1.6 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;color:var(--soft)}
.program li pre{color:var(--ink);min-height:1.6em;line-height:1.6}
.screen pre{max-height:420px;overflow:auto}
.card{margin:0 0 12px;break-inside:avoid-page}
.badge{display:inline-block;padding:0 9px;border-radius:99px;font-size:12px;font-weight:600;border:1px solid var(--line);color:var(--soft);margin-left:8px;vertical-align:1px}
.badge.done{color:var(--good);border-color:var(--good)}
.badge.stopped{color:var(--bad);border-color:var(--bad)}
.theirs{background:var(--others-soft);border-left:3px solid var(--others);padding:5px 9px;border-radius:0 5px 5px 0;max-height:320px;overflow:auto}
.ours{max-height:320px;overflow:auto}
.whose{color:var(--others);font-size:12px;font-weight:600}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin-top:6px}
th{font-size:12px;text-align:left;color:var(--soft);font-weight:550;border-bottom:1px solid var(--line);padding:4px 12px 4px 0;white-space:nowrap}
td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word;font-size:13.5px}
td.words,th.words{width:48%;min-width:240px}
td.number{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
th.number{text-align:right}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:14px}
figure .wide>svg{display:block;min-width:820px;width:100%;height:auto}
figcaption{color:var(--soft);font-size:12.5px;margin-top:8px}
svg text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--soft)}
svg text.head{fill:var(--ink);font-weight:600}
svg text.column{font-size:12px}
svg .box rect{fill:var(--mine-soft);stroke:none}
svg .box.others rect{fill:var(--others-soft)}
svg .box.others text.head{fill:var(--others)}
svg .box.stopped rect{fill:var(--bad-soft)}
svg .box.stopped text.head{fill:var(--bad)}
svg path{fill:none;stroke:var(--mine);stroke-width:1.3;opacity:.55}
svg path.others{stroke:var(--others)}
svg path.chose{stroke-dasharray:4 4}
footer{color:var(--soft);font-size:12.5px;padding-top:28px;padding-bottom:48px}
@media print{:root{--paper:#fff}body{font-size:11pt}header,main,footer{max-width:none;padding:0}header{padding-top:0}
.theirs,.ours,.screen pre{max-height:none;overflow:visible}h2,h3{break-after:avoid}figure .wide>svg{min-width:0}.wide{overflow:visible}}
"""
