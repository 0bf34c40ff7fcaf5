import { describe, expect, it } from 'vitest';
import { undoableUntil } from './undo-decision.utils';

const at = '2026-03-02T18:00:00.000Z';
const dayLater = Date.parse('2026-03-03T18:00:00.000Z');

describe('undoableUntil', () => {
  it('is a day after a decline or a discharge', () => {
    expect(
      undoableUntil({ status: 'rejected', rejectedAt: at, cancelledAt: null, mergedAt: null, dischargedAt: null }),
    ).toBe(dayLater);
    expect(
      undoableUntil({ status: 'discharged', rejectedAt: null, cancelledAt: null, mergedAt: null, dischargedAt: at }),
    ).toBe(dayLater);
  });
  it('is never for a reservation that its guest cancelled', () => {
    expect(
      undoableUntil({ status: 'rejected', rejectedAt: at, cancelledAt: at, mergedAt: null, dischargedAt: null }),
    ).toBeNull();
  });
  it('is never while the reservation is merged into another one', () => {
    expect(
      undoableUntil({ status: 'discharged', rejectedAt: null, cancelledAt: null, mergedAt: at, dischargedAt: at }),
    ).toBeNull();
  });
  it.each(['pending', 'accepted', 'reassigned', 'expired'] as const)('is never for a guest who is %s', (status) =>
    expect(
      undoableUntil({ status, rejectedAt: null, cancelledAt: null, mergedAt: null, dischargedAt: null }),
    ).toBeNull(),
  );
});
