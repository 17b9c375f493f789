"""The labels of the protocol under the short names that the tables of the scripts use."""

from bmadc.machine import labels

MARK = labels.PIPELINE.name
DEV = labels.DEV.name
REVIEW = labels.REVIEW.name
CHANGES = labels.CHANGES.name
APPROVED = labels.APPROVED.name
BREAKER = labels.BREAKER.name
SWEPT = labels.SWEPT.name
CONSENSUS = labels.CONSENSUS.name
UNVALIDATED = labels.UNVALIDATED.name
