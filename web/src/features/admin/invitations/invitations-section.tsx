import { t, plural } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AdminInvitation } from '#shared/contracts/admin.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { invitationsQuery } from '../admin-queries.ts'
import { InviteListCard } from './invite-list-card.tsx'
import { QueryContent } from '../../../components/query-content.tsx'
import { useRef, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { getIdentityProviders } from '../../../lib/api/config.ts'
import { isFocusLost } from '../../../lib/input/focus-targets.ts'
import { findProviderByEmail } from '../../../lib/sign-in/identity-providers.ts'
import { GroupChoice } from '../group-choice.tsx'
import { SelectField } from '../../../components/ui/select-field.tsx'
import { useInput, type Input } from '../../../lib/input/use-input.ts'
import { maxEmailCharacters } from '../service-limits.ts'
import { dayChoices, defaultDays } from './invitation-days.ts'
import { InvitedLimits } from './invited-limits.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { Badge } from '../../../components/ui/badge.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { useLast } from '../../../lib/browser/use-last.ts'
import { findFocusWithoutRow } from '../find-focus-without-row.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'

/** By address, with numbers as people count. The service returns them in no order that helps to find one. */
const compareAddresses = (a: AdminInvitation, b: AdminInvitation) =>
  a.email.localeCompare(b.email, undefined, { numeric: true })

/** Invites people, and lists who has not signed up yet. */
export function InvitationsSection() {
  const query = useQuery(invitationsQuery)
  return (
    <>
      <InviteCard />
      <InviteListCard />
      <SettingsCard
        title={t`Open invitations`}
        subtitle={t`Not used yet. An invitation disappears once the person has signed up.`}
      >
        <CardSection>
          <QueryContent query={query} label={t`Loading the invitations`} empty={t`No open invitations.`}>
            {(invitations) => <InvitationList invitations={invitations.toSorted(compareAddresses)} />}
          </QueryContent>
        </CardSection>
      </SettingsCard>
    </>
  )
}

/** Invites an address, with the groups that the account gets. */
function InviteCard() {
  const field = useRef<HTMLInputElement>(null)
  const email = useInput('invite')
  const [days, setDays] = useState<number>(defaultDays)
  const [groups, setGroups] = useState<string[]>([])
  const [problem, setProblem] = useState<string>()
  const { start, isBusy, error, data, reset } = useInvite((sent) => {
    // what was entered meanwhile is for the next person
    sent.input.markSaved('')
    setGroups((current) => (current === sent.groups ? [] : current))
    // ready for the next person, unless the administrator is doing something else by now
    const input = field.current
    if (isFocusLost() || input?.form?.contains(document.activeElement)) input?.focus()
  })
  const provider = findProviderByEmail(getIdentityProviders(), email.value.trim())
  const submit = () => {
    // the service checks the address itself
    if (!/^[^\s@]+@\S+$/.test(email.value.trim())) {
      setProblem(t`Please enter an e-mail address.`)
      field.current?.focus()
    } else start({ input: email, groups, days })
  }
  return (
    <SettingsCard
      title={t`Invite somebody`}
      subtitle={t`They get a link to sign up with this address. It works until the invitation expires.`}
    >
      <form
        noValidate
        className="mt-4 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className="grid grid-cols-[minmax(0,1fr)_9rem] items-start gap-4 max-sm:grid-cols-1">
          <TextField
            ref={field}
            label={t`E-mail`}
            type="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={maxEmailCharacters}
            input={email}
            error={problem}
            hint={provider && t`Signs in with ${provider.label}`}
            onInput={() => {
              setProblem(undefined)
              if (error || data) reset()
            }}
          />
          <SelectField
            label={t`Valid for`}
            value={String(days)}
            options={dayChoices.map((count) => ({
              value: String(count),
              label: plural(count, { one: '# day', other: `# days` }),
            }))}
            onChange={(value) => setDays(Number(value))}
          />
        </div>
        <GroupChoice chosenGroups={groups} onChange={setGroups} />
        <InvitedLimits people={[groups]} />
        {error && (
          <Callout variant="danger" error={error}>
            {getActionErrorMessage(error)}
          </Callout>
        )}
        {data?.sent_at === null && (
          <Callout variant="info">{t`${data.email} is invited. This installation sent no e-mail: copy the link and pass it on.`}</Callout>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          className="justify-self-start max-sm:justify-self-stretch"
        >
          {t`Invite`}
        </Button>
      </form>
    </SettingsCard>
  )
}

/** What is sent to invite one person. */
interface SentInvitation {
  /** the address */
  input: Input<string>
  groups: string[]
  days: number
}

/**
 * Invites one person. It asks for a new sign-in if the last one is too long ago.
 * @param onInvited called after the invitation was made, unless the user has signed out
 */
function useInvite(onInvited: (sent: SentInvitation) => void) {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useActionMutation('invite', {
    failureTitle: t`The invitation was not made`,
    run: async ({ input, groups, days }: SentInvitation): Promise<AdminInvitation> => {
      const { invitation } = await withRecentSignIn(() =>
        callApi('admin.invite', { body: { email: input.value.trim(), groups, days } }),
      )
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      // the service answers with an invitation for one address, and with results for a list
      if (!invitation) throw new Error('no invitation for the address')
      return invitation
    },
    onSuccess: (invitation, sent, { notify }) => {
      onInvited(sent)
      if (invitation.sent_at !== null)
        notify('success', t`Invitation sent`, {
          description: t`${invitation.email} gets an e-mail with the link.`,
        })
    },
  })
}

/** The open invitations, with buttons to copy their links, send them again and revoke them. */
function InvitationList({ invitations }: { invitations: readonly AdminInvitation[] }) {
  const [invitationToRevoke, setInvitationToRevoke] = useState<AdminInvitation>()
  const list = useRef<HTMLUListElement>(null)
  const lastInvitation = useLast(invitationToRevoke)
  return (
    <>
      <ul ref={list} aria-label={t`Open invitations`} className="-my-3 divide-y divide-line">
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            onRevoke={() => setInvitationToRevoke(invitation)}
          />
        ))}
      </ul>
      {lastInvitation && (
        <RevokeDialog
          invitation={lastInvitation}
          open={invitationToRevoke !== undefined}
          onClose={() => setInvitationToRevoke(undefined)}
          findFocusTarget={() =>
            findFocusWithoutRow(list.current, {
              hasRow: invitations.some(({ id }) => id === lastInvitation.id),
            })
          }
        />
      )}
    </>
  )
}

function InvitationRow({ invitation, onRevoke }: { invitation: AdminInvitation; onRevoke: () => void }) {
  const { id, email, groups, expires_at: expiresAt, sent_at: sentAt, link } = invitation
  const provider = findProviderByEmail(getIdentityProviders(), email)
  const { copy } = useCopy({ title: t`Link copied` })
  const resend = useResendInvitation(id)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 max-sm:flex-col max-sm:items-stretch">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere" dir="auto">
          {email}
        </p>
        <p className="text-sm text-ink-muted">
          {t`Expires ${{ day: formatDateTime(new Date(expiresAt)) }}`}
          {' · '}
          {sentAt === null
            ? t`No e-mail was sent`
            : t`E-mail sent ${{ day: formatDateTime(new Date(sentAt)) }}`}
          {provider && ` · ${t`Signs in with ${provider.label}`}`}
        </p>
        {groups.length > 0 && (
          <p className="mt-1.5 flex flex-wrap gap-1.5">
            {groups.map((group) => (
              <Badge key={group}>{group}</Badge>
            ))}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" aria-label={t`Copy link for ${email}`} onClick={() => void copy(link)}>
          {t`Copy link`}
        </Button>
        <Button
          size="sm"
          busy={resend.isBusy}
          aria-label={t`Send again to ${email}`}
          onClick={() => resend.start()}
        >
          {t`Send again`}
        </Button>
        <Button size="sm" variant="danger" aria-label={t`Revoke invitation of ${email}`} onClick={onRevoke}>
          {t`Revoke`}
        </Button>
      </div>
    </li>
  )
}

/** Renews an invitation and sends its e-mail again; toasts tell what came of it. */
function useResendInvitation(invitationId: string) {
  const queryClient = useQueryClient()
  return useActionMutation(`resend ${invitationId}`, {
    run: async () => {
      const { invitation } = await callApi('admin.resendInvitation', { params: { invitationId } })
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      return invitation
    },
    onSuccess: (renewed, _input, { notify }) => {
      if (renewed.sent_at === null)
        notify('info', t`Renewed, without an e-mail`, {
          description: t`No e-mail was sent. Copy the link and pass it on.`,
        })
      else
        notify('success', t`Sent again`, {
          description: t`${renewed.email} gets an e-mail with the link.`,
        })
    },
    onError: (error, _input, { notify }) => {
      notify('error', t`The invitation was not sent again`, { error })
      // it may have been used meanwhile
      void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
    },
  })
}

/** Revokes an invitation after a confirmation. @param findFocusTarget as in `ActionDialog` */
function RevokeDialog({
  invitation: { id, email },
  open,
  onClose,
  findFocusTarget,
}: {
  invitation: AdminInvitation
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t`Revoke this invitation?`}
      confirmLabel={t`Revoke`}
      isDestructive
      actionKey={`revoke ${id}`}
      findFocusTarget={findFocusTarget}
      onConfirm={async () => {
        await callApi('admin.revokeInvitation', { params: { invitationId: id } }).catch(ignoreNotFound)
        await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      }}
    >
      <p className="wrap-anywhere text-ink-muted">{t`The link that ${{ email }} has will no longer work. You can invite this address again.`}</p>
    </ActionDialog>
  )
}
