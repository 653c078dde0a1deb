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
import type { ReactNode } from 'react'
import { SectionLayout, SectionNav } from '../../components/section-nav.tsx'
import { Select } from '../../components/ui/select-field.tsx'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { useBackToChat } from '../../lib/navigation/use-back-to-chat.ts'
import { useBrand } from '../../lib/api/config.ts'
import { useBackCloses } from '../../lib/browser/use-back-closes.ts'
import { phoneQuery, useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { SettingsCards } from './settings-cards.tsx'
import {
  isSettingsSection,
  listSettingsGroups,
  settingsSections,
  type SettingsSection,
} from './settings-sections.ts'
import { useSettingsSections } from './use-settings-sections.ts'

/** The settings. @param importCard of another feature */
export function SettingsPage({ user, importCard }: { user: SignedInUser; importCard: ReactNode }) {
  const query = useQuery(accountQuery)
  const { onBack } = useBackToChat()
  useDocumentTitle(t`Settings`)
  const { assistantName } = useBrand()
  const { opened, current, show, close } = useSettingsSections()
  const isPhone = useMediaQuery(phoneQuery)
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
              <SettingsCards
                account={account}
                user={user}
                importCard={importCard}
                shown={isOneShown ? opened : undefined}
              />
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

/** In place of the first cards, about as high as these. */
const cardPlaceholders = [160, 224, 160].map((height, index) => (
  <Card key={index} className="p-6" style={{ height }}>
    <Skeleton className="h-4 w-40" />
    <Skeleton className="mt-8 w-full" />
    <Skeleton className="mt-4 w-2/3" />
  </Card>
))
