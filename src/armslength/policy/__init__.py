"""Which effects happen, which need a person, which never do. Pure: labels in, a decision out.

Deciding:
    action       what is decided about, and a decision with its reasons
    patterns     what a pattern fits: for certain, and maybe
    settings     what the configuration says: groups, clearances, what stays on this machine
    facts        an action as Cedar's request
    compiled     the rules for one shape of call
    engine       the decision
    releasing    what a rule may let go: things that the program names, and steering, counted
    grants       what was said yes to beforehand, and what that covers
    foretelling  which rules may object where not all is known yet

The rules, read and checked (the shipped ones are `default.cedar`):
    text         a file cut into its rules
    rules        a rule: its name, verdict, reason
    trees        Cedar's JSON form of one, walked
    schema       what a rule can name, made of the tools in use
    naming       each name in a rule is one that there is

For whoever writes rules:
    cases        calls in a file, each with what should be decided
    wording      labels in words, for them
    changes      what of a call could be otherwise
    explaining   what would change a decision
"""
