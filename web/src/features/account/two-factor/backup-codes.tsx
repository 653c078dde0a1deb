import { Check, Copy, Download } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { useBrand } from '../../../lib/config.ts'
import { useCopied } from '../../../components/use-copy.ts'
import { Dialog } from '../../../components/ui/dialog.tsx'

/** The codes in two columns, to copy one per line or to keep as a file (MFA-24, MFA-26, MFA-28, MFA-29). */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const { brandName } = useBrand()
  const { copied, copy } = useCopied({
    title: 'Backup codes copied',
    description: 'Store these codes in a safe place.',
  })
  const text = codes.join('\n')
  return (
    <div className="grid gap-4">
      <p className="text-ink-muted">
        Each code signs you in once when the app is not at hand. They are shown only now.
      </p>
      <ol
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 rounded-md bg-surface-sunken px-5 py-3 font-mono text-base/6 font-medium ring-1 ring-line ring-inset max-[399px]:gap-x-3 max-[399px]:px-3"
      >
        {codes.map((code, index) => (
          <li key={code} className="flex items-baseline gap-3 py-1.5">
            <span aria-hidden className="w-4 text-right text-xs text-ink-faint max-[399px]:hidden">
              {index + 1}
            </span>
            {code}
          </li>
        ))}
      </ol>
      <div className="flex gap-2">
        <Button size="sm" onClick={() => void copy(text)}>
          {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
          {copied ? 'Copied' : 'Copy all'}
        </Button>
        <Button size="sm" onClick={() => download(`${brandName} backup codes.txt`, `${text}\n`)}>
          <Download aria-hidden size={16} />
          Download
        </Button>
      </div>
    </div>
  )
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address))
}

/** New backup codes, shown once. */
export function CodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onDone()}
      title="Save your new backup codes"
      description="The old ones no longer work."
      footer={
        <Button tone="primary" onClick={onDone}>
          Continue to Settings
        </Button>
      }
    >
      <BackupCodes codes={codes} />
    </Dialog>
  )
}
