import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { AdminInvitation } from '#shared/contracts/admin.ts'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { getIdentityProviders } from '../../../lib/api/config.ts'
import { findProviderByEmail } from '../../../lib/sign-in/identity-providers.ts'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { useLast } from '../../../lib/browser/use-last.ts'
import { findFocusWithoutRow } from '../find-focus-without-row.ts'
import { RevokeDialog } from './revoke-dialog.tsx'
import { useResendInvitation } from './use-resend-invitation.ts'

/** The open invitations, with buttons to copy their links, send them again and revoke them. */
export function InvitationList({ invitations }: { invitations: readonly AdminInvitation[] }) {
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
