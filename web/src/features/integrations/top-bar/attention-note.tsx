import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { isExpired } from '#shared/token-status.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { useBrand } from '../../../lib/api/config.ts'
import { integrationsPath } from '../../../lib/navigation/paths.ts'
import { Link } from '../../../lib/navigation/router.tsx'
import { translateSentence } from '../../../lib/text/translate.ts'
import { formatExpiry } from '../state/connection-status.ts'

/** Why a connection does not work, or soon will not, and what helps. */
export function AttentionNote({ connection, now }: { connection: Connection; now: Date }) {
  return (
    <div className="mx-4 mb-4 flex gap-2 rounded-sm bg-warning-soft px-3 py-2.5 text-sm">
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
      <div>
        <p className="font-medium text-warning-ink">{t`Requires attention`}</p>
        <p>
          <AttentionReason connection={connection} now={now} />
        </p>
      </div>
    </div>
  )
}

function AttentionReason({ connection, now }: { connection: Connection; now: Date }) {
  const { assistantName } = useBrand()
  if (useToolsAllowed() === 'none') return t`Your administrator does not allow it.`
  const reconnect = (
    <Link to={integrationsPath} className="link font-medium">
      {t`Reconnect`}
    </Link>
  )
  if (connection.reconnect)
    return (
      <>
        {translateSentence(describeReconnectReason(connection.mcp_name, connection.reconnect))} {reconnect}
      </>
    )
  if (connection.token_status === 'invalid')
    return (
      <Trans>
        {assistantName} lost access. {reconnect} to continue.
      </Trans>
    )
  const expiry = describeExpiry(connection, now)
  return connection.refreshable ? (
    <Trans>
      {expiry} {assistantName} renews it automatically; if that fails, {reconnect}.
    </Trans>
  ) : (
    <Trans>
      {expiry} {reconnect} to continue.
    </Trans>
  )
}

/** 'Expires in 4h.', or that the access has expired, or has to be renewed at a time that the page does not know. */
function describeExpiry({ expires_at: expiresAt, token_status: status }: Connection, now: Date): string {
  if (status === 'expired' || isExpired(expiresAt, now, 0)) return t`Access has expired.`
  const label = formatExpiry(expiresAt, now)
  return label === undefined ? t`Access needs to be renewed.` : t`${{ expiry: label }}.`
}
