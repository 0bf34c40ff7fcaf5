/**
 * Lets a held Enter press once. Browsers repeat it: a form would be sent again after each refusal, and a second on the sign-in
 * page would use up all attempts. In a text of several lines it still makes lines.
 */
export function pressHeldEnterOnce(): void {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.repeat || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
  };
  document.addEventListener('keydown', press, { capture: true });
}
