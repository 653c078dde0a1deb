import { t } from '@lingui/core/macro'
import { useEffect, type ReactNode } from 'react'
import { useNavigate } from '../../lib/navigation/router.tsx'
import type { AccountRead } from '#shared/contracts/account.ts'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { SectionTitle, SettingsCard } from '../../components/settings-card.tsx'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { filesPath } from '../../lib/navigation/paths.ts'
import { ActivityCard } from './activity-card.tsx'
import { InstructionsCard } from './instructions-card.tsx'
import { MemoryCard } from './memory-card.tsx'
import { NotificationsCard } from './notifications-card.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { settingsSections, type SettingsSection } from './settings-sections.ts'
import { SharedLinksCard } from './shared-links-card.tsx'
import { UsageCard } from './usage-card.tsx'

/** The cards of the settings. Where only one section is shown, the others are hidden and stay mounted: what is entered in them is not lost. */
export function SettingsCards({
  account,
  user,
  importCard,
  shown,
}: {
  account: AccountRead
  user: SignedInUser
  /** of another feature */
  importCard: ReactNode
  /** the only section that is shown, if there is one */
  shown: SettingsSection | undefined
}) {
  const navigate = useNavigate()
  return (
    <SectionTitle value={shown && settingsSections[shown]}>
      <Section shown={shown} id="profile">
        <ProfileCard account={account} email={user.email} />
      </Section>
      <Section shown={shown} id="privacy">
        <PrivacyCard account={account} email={user.email} onOpenFiles={() => navigate(filesPath)} />
      </Section>
      <Section shown={shown} id="security">
        <SecurityCard user={user} />
      </Section>
      <Section shown={shown} id="notifications">
        <NotificationsCard settings={account.settings.notifications} userId={user.sub} />
      </Section>
      <Section shown={shown} id="instructions">
        <InstructionsCard settings={account.settings} />
      </Section>
      <Section shown={shown} id="memory">
        <MemoryCard settings={account.settings} />
      </Section>
      <Section shown={shown} id="prompts">
        <SettingsCard
          title={t`Saved prompts`}
          subtitle={t`Type / at the beginning of a message to insert one, in any conversation.`}
        >
          <SavedPrompts />
        </SettingsCard>
      </Section>
      <Section shown={shown} id="import">
        {importCard}
      </Section>
      <Section shown={shown} id="usage">
        <UsageCard />
      </Section>
      <Section shown={shown} id="activity">
        <ActivityCard />
      </Section>
      <Section shown={shown} id="links">
        <SharedLinksCard />
      </Section>
      <p className="text-center text-xs">
        <a href="/licences.txt" target="_blank" rel="noopener" className="link">
          {t`Third-party licences`}
        </a>
      </p>
    </SectionTitle>
  )
}

/**
 * A section of the settings, to which its link moves the focus. Scrolls to the one that the address names when the page opens.
 * @param shown the only section that is shown, if there is one
 */
function Section({
  id,
  shown,
  children,
}: {
  id: SettingsSection
  shown: SettingsSection | undefined
  children: ReactNode
}) {
  useEffect(() => {
    if (location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView()
  }, [id])
  return (
    <div
      id={id}
      tabIndex={-1}
      hidden={shown !== undefined && shown !== id}
      className="min-w-0 scroll-mt-8 outline-none lg:scroll-mt-0"
    >
      {children}
    </div>
  )
}
