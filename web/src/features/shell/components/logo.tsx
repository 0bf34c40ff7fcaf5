import classes from './shell.module.css';

/** The name of the product with its mark: a berth. */
export function Logo() {
  return (
    <span className={classes.logo}>
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0b6e6e" />
        <path
          d="M7 9v14M7 19h18v4M25 19v-2a4 4 0 0 0-4-4h-8v6"
          fill="none"
          stroke="#fff"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle cx="10.2" cy="15.2" r="1.9" fill="#fff" />
      </svg>
      Berth
    </span>
  );
}
