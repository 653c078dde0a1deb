import { t } from '@lingui/core/macro'
import type { AdminSite } from '#shared/contracts/site.ts'
import { getOwn } from '#shared/get-own.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { formatCount } from '../../../lib/text/locale.ts'

const labels: Readonly<Record<string, string>> = {
  brandName: t`Name of the product`,
  mailSender: t`Sender of e-mails`,
  identityProviders: t`Identity providers`,
  imagesPerDay: t`Generated images a day`,
  storageGbPerUser: t`GB of files for each person`,
  repliesAtOnce: t`Replies at once for each person`,
}

function formatValue(value: AdminSite['deployment'][string]): string {
  if (value === null) return t`not set`
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'boolean') return value ? t`on` : t`off`
  return value
}

/** What only a deployment changes. */
export function DeploymentCard({ deployment }: Pick<AdminSite, 'deployment'>) {
  return (
    <SettingsCard
      title={t`Only by a deployment`}
      subtitle={t`An operator changes these in the configuration.`}
    >
      <CardSection>
        <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-x-8 gap-y-2">
          {Object.entries(deployment).map(([name, value]) => (
            <div key={name} className="col-span-full grid grid-cols-subgrid">
              <dt className="text-ink-muted">{getOwn(labels, name) ?? name}</dt>
              <dd className="wrap-anywhere">
                <bdi>{formatValue(value)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </CardSection>
    </SettingsCard>
  )
}
