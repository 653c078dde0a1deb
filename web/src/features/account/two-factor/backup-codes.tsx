import { t } from '@lingui/core/macro'
import { Check, Copy, Download } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { downloadBlob } from '../../../lib/browser/download.ts'
import { toFileName } from '../../../lib/browser/file-name.ts'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { Dialog } from '../../../components/ui/dialog.tsx'

/** The codes in two columns, with buttons to copy and download them. */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const { brandName } = useBrand()
  const { copied, copy } = useCopy({
    title: t`Backup codes copied`,
    description: t`Store these codes in a safe place.`,
  })
  const text = codes.join('\n')
  return (
    <div className="grid gap-4">
      <p className="text-ink-muted">{t`Each code signs you in once without the app. They are shown only now.`}</p>
      <ol
        aria-label={t`Backup codes`}
        className="grid grid-cols-2 gap-x-6 rounded-md bg-surface-sunken px-5 py-3 font-mono text-base/6 font-medium ring-1 ring-line ring-inset max-[399px]:gap-x-3 max-[399px]:px-3"
      >
        {codes.map((code, index) => (
          <li key={code} className="flex items-baseline gap-3 py-1.5">
            <span aria-hidden className="w-4 text-end text-xs text-ink-faint max-[399px]:hidden">
              {index + 1}
            </span>
            {code}
          </li>
        ))}
      </ol>
      <div className="flex gap-2">
        <Button size="sm" onClick={() => void copy(text)}>
          {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
          {copied ? t`Copied` : t`Copy all`}
        </Button>
        <Button
          size="sm"
          onClick={() =>
            downloadBlob(
              new Blob([`${text}\n`], { type: 'text/plain' }),
              `${toFileName(t`${brandName} backup codes`) ?? brandName}.txt`,
            )
          }
        >
          <Download aria-hidden size={16} />
          {t`Download`}
        </Button>
      </div>
    </div>
  )
}

/** New backup codes, shown once. */
export function BackupCodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onDone()}
      closesByButtonOnly
      title={t`Save your new backup codes`}
      description={t`The old ones no longer work.`}
      footer={
        <Button variant="primary" onClick={onDone}>
          {t`Continue to Settings`}
        </Button>
      }
    >
      <BackupCodes codes={codes} />
    </Dialog>
  )
}
