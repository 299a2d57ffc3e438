"""The one report of all that is measured: `python -m bench.report` writes docs/results.md and a page from the results that are there.

blocks      sections, tables and plots, before they are drawn
speed       what results of speed say; `campaigns`, `behaviour`, `dojo`, `dojo_model`: of the others
figures     which figures of a result are kept for good
history     bench/history.jsonl, where they are kept
whole       all sections in their order, with what was not measured
plots       bars and lines as SVG
markdown    docs/results.md
page        the page: one file, nothing loaded, no script
"""
