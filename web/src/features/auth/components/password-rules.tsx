import { Check, Circle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { keepsRule, PASSWORD_RULES } from '../password-rules.utils';
import classes from './auth.module.css';

/** The rules for a new password, each with its state as shape and word. */
export function PasswordRules({ password }: { password: string }) {
  const { t } = useTranslation('auth');
  return (
    <ul className={classes.rules}>
      {PASSWORD_RULES.map((rule) => {
        const isMet = keepsRule(password, rule);
        return (
          <li key={rule} className={classes.rule} data-met={isMet}>
            {isMet ? <Check size={16} aria-hidden /> : <Circle size={16} aria-hidden />}
            <span>
              {t(rule === 'phrase' ? 'password.requirement.phrase' : `password.rule.${rule}`)}
              <span className="berth-hidden">, {t(isMet ? 'password.met' : 'password.notMet')}</span>
            </span>
          </li>
        );
      })}
      <li className={classes.rule}>
        <Circle size={16} aria-hidden />
        <span>
          {t('password.requirement.common')} ({t('password.checkedByServer')})
        </span>
      </li>
    </ul>
  );
}
