import classes from './site-form.module.css';

interface FieldErrorProps {
  id: string;
  text: string | undefined;
}

/** What is wrong with a group of controls; they name it by `aria-describedby`. */
export function FieldError({ id, text }: FieldErrorProps) {
  if (!text) return null;
  return (
    <div id={id} className={classes.error}>
      {text}
    </div>
  );
}
