import { Card } from '../../components/ui/card.tsx'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  Bell,
  Brain,
  ChartColumn,
  Download,
  Link,
  List,
  Lock,
  NotebookPen,
  Shield,
  User,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { SectionLayout, SectionNav } from '../../components/section-nav.tsx'
import { SectionTitle, SettingsCard } from '../../components/settings-card.tsx'
import { Select } from '../../components/ui/select-field.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery } from '../../lib/account-queries.ts'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { useBackToChat } from '../../lib/use-back-to-chat.ts'
import { useBrand } from '../../lib/config.ts'
import { useBackCloses } from '../../lib/use-back-closes.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { ActivityCard } from './activity-card.tsx'
import { InstructionsCard } from './instructions-card.tsx'
import { MemoryCard } from './memory-card.tsx'
import { NotificationsCard } from './notifications-card.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SharedLinksCard } from './shared-links-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { UsageCard } from './usage-card.tsx'
import {
  isSettingsSection,
  listSettingsGroups,
  settingsSections,
  type SettingsSection,
} from './settings-sections.ts'
import { useSettingsSections } from './use-settings-sections.ts'

const filesPath = '/files'

/** The settings. @param importCard of another feature */
export function SettingsPage({ user, importCard }: { user: SignedInUser; importCard: ReactNode }) {
  const query = useQuery(accountQuery)
  const navigate = useNavigate()
  const { onBack } = useBackToChat()
  useDocumentTitle(t`Settings`)
  const { assistantName } = useBrand()
  const { opened, current, show, close } = useSettingsSections()
  const isPhone = useMediaQuery('(max-width: 39.99rem)')
  const isOneShown = isPhone && opened !== undefined
  const isListShown = isPhone && !isOneShown
  useBackCloses(isOneShown, close)
  const nav = (
    <SectionNav
      label={t`Sections`}
      groups={listSettingsGroups(assistantName).map(({ heading, ids }) => ({
        heading,
        sections: ids.map((id) => ({
          id,
          label: settingsSections[id],
          path: `#${id}`,
          Icon: sectionIcons[id],
        })),
      }))}
      current={isPhone ? undefined : current}
      onFollow={show}
      className={isOneShown ? 'max-lg:hidden' : 'sm:max-lg:hidden'}
    />
  )

  return (
    <div className="min-h-dvh">
      <PageHeader
        wide
        title={isOneShown ? settingsSections[opened] : t`Settings`}
        subtitle={isOneShown ? undefined : t`Manage your account preferences`}
        onBack={isOneShown ? close : onBack}
      />
      <div className="sticky top-18 z-1 border-b border-line bg-surface max-sm:hidden lg:hidden">
        <div className="mx-auto max-w-[calc(var(--width-sections)+3rem)] px-6 py-1.5">
          <Select
            aria-label={t`Sections`}
            value={current}
            options={Object.entries(settingsSections).map(([value, label]) => ({ value, label }))}
            onChange={(id) => isSettingsSection(id) && show(id)}
          />
        </div>
      </div>
      <SectionLayout
        // while it is all there is, it is the page's content
        nav={isListShown ? <main>{nav}</main> : nav}
      >
        <main className={isListShown ? 'hidden' : 'grid gap-4 pt-6 max-sm:pt-4 lg:pt-0'}>
          <QueryContent
            query={query}
            label={t`Loading your settings`}
            failure={t`Your settings could not be loaded.`}
            placeholder={cardPlaceholders}
          >
            {(account) => (
              <SectionTitle value={isOneShown ? settingsSections[opened] : undefined}>
                <Section shown={isOneShown ? opened : undefined} id="profile">
                  <ProfileCard account={account} email={user.email} />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="privacy">
                  <PrivacyCard
                    account={account}
                    email={user.email}
                    onOpenFiles={() => void navigate(filesPath)}
                  />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="security">
                  <SecurityCard user={user} />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="notifications">
                  <NotificationsCard settings={account.settings.notifications} userId={user.sub} />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="instructions">
                  <InstructionsCard settings={account.settings} />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="memory">
                  <MemoryCard settings={account.settings} />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="prompts">
                  <SettingsCard
                    title={t`Saved prompts`}
                    subtitle={t`Type / at the beginning of a message to insert one, in any conversation.`}
                  >
                    <SavedPrompts />
                  </SettingsCard>
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="import">
                  {importCard}
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="usage">
                  <UsageCard />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="activity">
                  <ActivityCard />
                </Section>
                <Section shown={isOneShown ? opened : undefined} id="links">
                  <SharedLinksCard />
                </Section>
                <p className="text-center text-xs">
                  <a href="/licences.txt" target="_blank" rel="noopener" className="link">
                    {t`Third-party licences`}
                  </a>
                </p>
              </SectionTitle>
            )}
          </QueryContent>
        </main>
      </SectionLayout>
    </div>
  )
}

const sectionIcons: Record<SettingsSection, LucideIcon> = {
  profile: User,
  notifications: Bell,
  instructions: NotebookPen,
  memory: Brain,
  prompts: List,
  security: Shield,
  privacy: Lock,
  links: Link,
  import: Download,
  usage: ChartColumn,
  activity: Activity,
}

/** Scrolls to the section that the address names when the page opens. @param shown the only section that is shown, if there is one */
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

const cardPlaceholders = [40, 56, 40].map((height, index) => (
  <Card key={index} className="p-6" style={{ height: `${height * 4}px` }}>
    <Skeleton className="h-4 w-40" />
    <Skeleton className="mt-8 w-full" />
    <Skeleton className="mt-4 w-2/3" />
  </Card>
))
