import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { SettingsCard } from '../../components/settings-card.tsx'
import { Select } from '../../components/ui/select-field.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { Loaded } from '../../components/loaded.tsx'
import * as promptTexts from '../../components/saved-prompts-texts.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery } from '../../lib/account-queries.ts'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { useBackToChat } from '../../lib/use-back-to-chat.ts'
import { ActivityCard } from './activity-card.tsx'
import { InstructionsCard } from './instructions-card.tsx'
import { MemoryCard } from './memory-card.tsx'
import { NotificationsCard } from './notifications-card.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SharedLinksCard } from './shared-links-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { UsageCard } from './usage-card.tsx'
import { settingsSections } from './settings-sections.ts'
import * as texts from './texts.ts'

const filesPath = '/files'

/** The settings. @param importCard of another feature */
export function SettingsPage({ user, importCard }: { user: SignedInUser; importCard: ReactNode }) {
  const query = useQuery(accountQuery)
  const navigate = useNavigate()
  const { onBack } = useBackToChat()
  useDocumentTitle(texts.settings)

  return (
    <div className="min-h-dvh">
      <PageHeader title={texts.settings} subtitle={texts.subtitle} onBack={onBack} />
      <SectionLinks />
      <main className="mx-auto grid max-w-[calc(var(--width-settings)+3rem)] gap-4 px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4 max-sm:pb-12">
        <Loaded query={query} label={texts.loading} failure={texts.notLoaded} placeholder={cardPlaceholders}>
          {(account) => (
            <>
              <Section id="profile">
                <ProfileCard account={account} email={user.email} />
              </Section>
              <Section id="privacy">
                <PrivacyCard
                  account={account}
                  email={user.email}
                  onOpenFiles={() => void navigate(filesPath)}
                />
              </Section>
              <Section id="security">
                <SecurityCard user={user} />
              </Section>
              <Section id="import">{importCard}</Section>
              <Section id="instructions">
                <InstructionsCard settings={account.settings} />
              </Section>
              <Section id="memory">
                <MemoryCard settings={account.settings} />
              </Section>
              <Section id="prompts">
                <SettingsCard title={promptTexts.list} subtitle={texts.promptsHint}>
                  <SavedPrompts />
                </SettingsCard>
              </Section>
              <Section id="usage">
                <UsageCard />
              </Section>
              <Section id="activity">
                <ActivityCard />
              </Section>
              <Section id="links">
                <SharedLinksCard />
              </Section>
              <Section id="notifications">
                <NotificationsCard />
              </Section>
              <p className="text-center text-xs">
                <a href="/licences.txt" target="_blank" rel="noopener" className="link">
                  {texts.licences}
                </a>
              </p>
            </>
          )}
        </Loaded>
      </main>
    </div>
  )
}

type SectionId = keyof typeof settingsSections

/** Shows a section that the address names when the page opens. */
function Section({ id, children }: { id: SectionId; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === `#${id}`) ref.current?.scrollIntoView()
  }, [id])
  return (
    <div ref={ref} id={id} tabIndex={-1} className="min-w-0 scroll-mt-32 outline-none">
      {children}
    </div>
  )
}

/** It stays the same page: nothing is left, and Back leads out of the settings. */
function showSection(id: string): void {
  history.replaceState(history.state, '', `#${id}`)
  const section = document.getElementById(id)
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

const readSection = () => {
  const id = location.hash.slice(1)
  return id in settingsSections ? id : 'profile'
}

/** Where `scroll-mt-32` puts a section, and a part of a pixel. */
const sectionTopPx = 129

/** Links to the sections; a list to choose from where they would not fit into one line. */
function SectionLinks() {
  const [shown, setShown] = useState(readSection)
  useEffect(() => {
    const followScrolling = () => {
      // the last sections may not reach the top: what was chosen stays
      if (innerHeight + scrollY >= document.documentElement.scrollHeight - 1) return
      const passed = Object.keys(settingsSections).findLast(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= sectionTopPx,
      )
      setShown(passed ?? 'profile')
    }
    addEventListener('scroll', followScrolling, { passive: true })
    return () => removeEventListener('scroll', followScrolling)
  }, [])
  const show = (id: string) => {
    setShown(id)
    showSection(id)
  }
  const follow = (event: MouseEvent, id: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    showSection(id)
  }
  return (
    <nav
      aria-label={texts.sections}
      className="sticky top-18 z-1 border-b border-line bg-surface max-sm:top-15"
    >
      <div className="mx-auto max-w-(--width-settings) px-4 py-1.5 xl:hidden">
        <Select
          aria-label={texts.sections}
          value={shown}
          options={Object.entries(settingsSections).map(([value, label]) => ({ value, label }))}
          onChange={show}
        />
      </div>
      <ul className="flex flex-wrap justify-center gap-1 px-4 py-1.5 max-xl:hidden">
        {Object.entries(settingsSections).map(([id, label]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => follow(event, id)}
              className="inline-flex h-9 items-center rounded-md px-2.5 text-ui font-medium whitespace-nowrap text-ink-muted no-underline transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const cardPlaceholders = [40, 56, 40].map((height, index) => (
  <div
    key={index}
    className="rounded-lg bg-surface-raised p-6 hairline"
    style={{ height: `${height * 4}px` }}
  >
    <Skeleton className="h-4 w-40" />
    <Skeleton className="mt-8 w-full" />
    <Skeleton className="mt-4 w-2/3" />
  </div>
))
