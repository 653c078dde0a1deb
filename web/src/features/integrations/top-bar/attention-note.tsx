import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { Connection } from '#shared/contracts/integrations.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { isExpired } from '#shared/token-status.ts'
import { useBrand } from '../../../lib/config.ts'
import { translateSentence } from '../../../lib/translate.ts'
import { formatExpiry } from '../state/connection-status.ts'

/** Why a connection does not work, or soon will not, and what helps. */
export function AttentionNote({ connection, now }: { connection: Connection; now: Date }) {
  const { assistantName } = useBrand()
  const hasExpired = isExpired(connection.expires_at, now, 0)
  const label = hasExpired ? undefined : formatExpiry(connection.expires_at, now)
  const expiry = label === undefined ? t`Access has expired.` : t`${{ expiry: label }}.`
  const reconnect = (
    <Link to="/integrations" className="link font-medium">
      {t`Reconnect`}
    </Link>
  )
  return (
    <div className="mx-4 mb-4 flex gap-2 rounded-sm bg-warning-soft px-3 py-2.5 text-sm">
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
      <div>
        <p className="font-medium text-warning-ink">{t`Requires attention`}</p>
        <p>
          {connection.reconnect ? (
            <>
              {translateSentence(describeReconnectReason(connection.mcp_name, connection.reconnect))}{' '}
              {reconnect}
            </>
          ) : connection.token_status === 'invalid' ? (
            <Trans>
              {assistantName} lost access. {reconnect} to continue.
            </Trans>
          ) : connection.refreshable ? (
            <Trans>
              {expiry} {assistantName} renews it automatically; if that fails, {reconnect}.
            </Trans>
          ) : (
            <Trans>
              {expiry} {reconnect} to continue.
            </Trans>
          )}
        </p>
      </div>
    </div>
  )
}
