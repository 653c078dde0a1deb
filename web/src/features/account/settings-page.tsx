import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { SettingsCard } from '../../components/settings-card.tsx'
import * as promptTexts from '../../components/saved-prompts-texts.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery } from '../../lib/account-queries.ts'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import { useBrand } from '../../lib/config.ts'
import { useLeaveGuard } from '../../lib/leave-guard.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { ActivityCard } from './activity-card.tsx'
import { InstructionsCard } from './instructions-card.tsx'
import { MemoryCard } from './memory-card.tsx'
import * as memoryTexts from './memory-texts.ts'
import * as instructionsTexts from './instructions-texts.ts'
import { NotificationsCard } from './notifications-card.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SharedLinksCard } from './shared-links-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { UsageCard } from './usage-card.tsx'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

const homePath = '/'
const filesPath = '/files'

/** The settings. Asks before the user leaves with unsaved changes. @param importCard of another feature */
export function SettingsPage({ user, importCard }: { user: SignedInUser; importCard: ReactNode }) {
  const { brandName } = useBrand()
  const { data: account, error, refetch } = useQuery(accountQuery)
  const [profileDirty, setProfileDirty] = useState(false)
  const [instructionsDirty, setInstructionsDirty] = useState(false)
  const [memoryDirty, setMemoryDirty] = useState(false)
  const guard = useLeaveGuard(profileDirty || instructionsDirty || memoryDirty)
  const navigate = useNavigate()
  useEffect(() => {
    const before = document.title
    document.title = `${texts.settings} - ${brandName}`
    return () => {
      document.title = before
    }
  }, [brandName])

  return (
    <div className="min-h-dvh">
      <PageHeader title={texts.settings} subtitle={texts.subtitle} onBack={() => void navigate(homePath)} />
      <main className="mx-auto grid max-w-[calc(var(--width-settings)+3rem)] gap-4 px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4 max-sm:pb-12">
        {account ? (
          <>
            <ProfileCard account={account} email={user.email} onDirtyChange={setProfileDirty} />
            <PrivacyCard account={account} email={user.email} onOpenFiles={() => void navigate(filesPath)} />
            <SecurityCard user={user} />
            {importCard}
            <InstructionsCard settings={account.settings} onDirtyChange={setInstructionsDirty} />
            <MemoryCard settings={account.settings} onDirtyChange={setMemoryDirty} />
            <SettingsCard title={promptTexts.list} subtitle={texts.promptsHint}>
              <SavedPrompts />
            </SettingsCard>
            <UsageCard />
            <ActivityCard />
            <SharedLinksCard />
            <NotificationsCard />
            <p className="text-center text-xs">
              <a href="/licences.txt" target="_blank" rel="noopener" className="link">
                {texts.licences}
              </a>
            </p>
          </>
        ) : error ? (
          <div className="flex flex-col items-start gap-4 py-12">
            <p className="text-base text-ink-muted">
              {texts.notLoaded} {errorMessage(error)}
            </p>
            <Button onClick={() => void refetch()}>{commonTexts.retry}</Button>
          </div>
        ) : (
          <CardSkeletons />
        )}
      </main>
      <Dialog
        open={guard.isAsking}
        onOpenChange={(open) => !open && guard.stay()}
        title={texts.leaveTitle}
        footer={
          <>
            <Button variant="ghost" onClick={guard.leave}>
              {texts.discard}
            </Button>
            <Button variant="primary" onClick={guard.stay}>
              {texts.keepEditing}
            </Button>
          </>
        }
      >
        <p className="text-ink-muted">
          {profileDirty
            ? texts.profileLeaveHint
            : instructionsDirty
              ? instructionsTexts.leaveHint
              : memoryTexts.leaveHint}
        </p>
      </Dialog>
    </div>
  )
}

function CardSkeletons() {
  return (
    <div role="status" aria-label={texts.loading} className="grid gap-4">
      {[40, 56, 40].map((height, index) => (
        <div
          key={index}
          className="rounded-lg bg-surface-raised p-6 hairline"
          style={{ height: `${height * 4}px` }}
        >
          <Skeleton className="h-4 w-40" />
          <Skeleton className="mt-8 w-full" />
          <Skeleton className="mt-4 w-2/3" />
        </div>
      ))}
    </div>
  )
}
