import { LogoutLink, ProfileLink } from '@/features/shell/components/account-links';
import { HelpMenu } from '@/features/shell/components/help-menu';
import { useExplainPage } from '@/features/tour/ui/use-explain-page';

interface AccountToolsProps {
  /** Whether the sign-in is complete; without it there is no profile to see yet. */
  isSignedIn: boolean;
}

/** What the header of a public page has for somebody who is signed in, wholly or half. */
export function AccountTools({ isSignedIn }: AccountToolsProps) {
  const explain = useExplainPage();
  return (
    <>
      <HelpMenu onExplain={explain} />
      {isSignedIn ? <ProfileLink /> : null}
      <LogoutLink />
    </>
  );
}
