import { Anchor, Button, Collapse, PasswordInput, Stack, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react';
import { useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ValidationError } from '@/api/errors';
import { SubmitButton } from '@/components/submit-button';
import { useCreatePassword } from '../api/invited-sign-in';
import { useNewPasswordForm } from '../ui/use-new-password-form';
import { useAuthFailure } from '../ui/use-auth-error';
import { useAuthText } from '../use-auth-text';
import { AuthLayout } from './auth-layout';
import { PasswordRules } from './password-rules';

/** The first password of an invited user (spec A section 2, Create-password screen). */
export function CreatePasswordForm() {
  const { t } = useTranslation(['auth', 'common']);
  const text = useAuthText();
  const toFailure = useAuthFailure();
  const navigate = useNavigate();
  const createPassword = useCreatePassword();
  const rulesId = useId();
  const refusalId = useId();
  const [areRulesShown, rules] = useDisclosure(false);
  const [refusal, setRefusal] = useState<string>();
  const form = useNewPasswordForm();
  const { errors } = form.formState;
  const password = useWatch({ control: form.control, name: 'password' });

  const handleSubmit = form.handleSubmit(async (fields) => {
    if (createPassword.isPending) return;
    setRefusal(undefined);
    try {
      const { to, signIn } = await createPassword.mutateAsync(fields.password);
      await navigate({ to, state: { signIn } });
    } catch (error) {
      const reasons =
        error instanceof ValidationError ? error.problem.errors?.map(({ message }) => message) : undefined;
      setRefusal(reasons?.length ? reasons.join(' ') : toFailure(error).text);
      form.setFocus('password');
    }
  });

  return (
    <AuthLayout title={t('password.title')} text={t('password.text')}>
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          <div>
            <Button
              variant="subtle"
              size="compact-md"
              aria-expanded={areRulesShown}
              aria-controls={rulesId}
              rightSection={areRulesShown ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
              onClick={rules.toggle}
            >
              {t(areRulesShown ? 'password.hideRequirements' : 'password.showRequirements')}
            </Button>
            <div id={rulesId}>
              <Collapse expanded={areRulesShown}>
                <PasswordRules password={password} />
              </Collapse>
            </div>
          </div>
          {/* The server's refusal is shown beside the field (spec A section 8); it stays until the next try. */}
          <Tooltip
            label={refusal}
            opened={refusal !== undefined}
            position="right"
            // A phone has no room beside the field.
            middlewares={{ flip: { fallbackPlacements: ['left', 'bottom'] }, shift: true }}
            multiline
            maw="min(320px, 90vw)"
            color="red.9"
            withinPortal={false}
          >
            <PasswordInput
              label={t('password.new')}
              autoComplete="new-password"
              required
              withAsterisk={false}
              visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
              error={text(errors.password?.message)}
              aria-describedby={refusal ? refusalId : undefined}
              {...form.register('password', { onChange: () => setRefusal(undefined) })}
            />
          </Tooltip>
          <span id={refusalId} role="alert" className="berth-hidden">
            {refusal}
          </span>
          <PasswordInput
            label={t('password.confirm')}
            autoComplete="new-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
            error={text(errors.confirmation?.message)}
            {...form.register('confirmation')}
          />
          <SubmitButton fullWidth loading={createPassword.isPending}>
            {t('common:action.save')}
          </SubmitButton>
          <Anchor renderRoot={(props) => <Link to="/logout" preload={false} {...props} />}>
            <ArrowLeft size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> {t('common:action.back')}
          </Anchor>
        </Stack>
      </form>
    </AuthLayout>
  );
}
