/** Which numbers of the North American Numbering Plan are taken (docs/decisions/0035). */

/** `NXX NXX XXXX`: area code and exchange begin with 2 to 9; N9X area codes are kept for longer numbers. */
const OF_THE_PLAN = /^\+1([2-9][0-8]\d)([2-9]\d{2})(\d{4})$/;

/**
 * Whether the value is a number that can be called at no cost: one of the numbering plan, no service such as 911, no
 * premium number. The same rule as `domain/value/phone.rs`; the server judges.
 */
export function isPhone(value: string): boolean {
  const [, area = '', exchange = '', line = ''] = OF_THE_PLAN.exec(value) ?? [];
  if (area === '' || area.endsWith('11') || exchange.endsWith('11')) return false;
  return area !== '900' && exchange !== '976' && !(exchange === '555' && line === '1212');
}

/** Area codes of the island states of the numbering plan, where a text message costs many times as much. */
const ISLAND_STATES = '242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876'.split(' ');

/**
 * Whether the number can be a person's, so that codes may be sent to it: no toll-free number or other service, and none
 * of an island state.
 */
export function isPersonalPhone(value: string): boolean {
  const area = value.slice(2, 5);
  const isService = area[1] === area[2] || (area >= '521' && area <= '529') || area === '710';
  return isPhone(value) && !isService && !ISLAND_STATES.includes(area);
}
