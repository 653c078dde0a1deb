import { maxRecordingSeconds } from '#shared/limits.ts'

/** Enough for speech; ten minutes are 2.4 MB. */
const audioBitsPerSecond = 32_000
/** As base64 less than the 6 MB that a function on AWS accepts. A limit of its own, because browsers need not keep to the bit rate. */
const maxBytes = 4 * 1024 * 1024

/** How often the recording is measured against `maxBytes`. */
const chunkMs = 1_000

const types = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4']

/** Whether this browser can record. Browsers allow it on https and localhost only. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && typeof navigator.mediaDevices?.getUserMedia === 'function'

/** A recording that is being made. */
export interface Recorder {
  /** Ends the recording; `recording` then resolves to it. */
  finish: () => void
  /** also resolves when the recording has reached its greatest length; an empty blob if there was no sound */
  recording: Promise<Blob>
}

/**
 * Starts to record the microphone, which is released when the recording ends.
 * @throws DOMException if there is none, or the user does not allow it
 */
export async function startRecorder(): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const release = () => stream.getTracks().forEach((track) => track.stop())
  try {
    const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond, ...(mimeType && { mimeType }) })
    const { promise, resolve } = Promise.withResolvers<Blob>()
    const chunks: Blob[] = []
    let size = 0
    const finish = () => {
      if (recorder.state !== 'inactive') recorder.stop()
    }
    const timer = setTimeout(finish, maxRecordingSeconds * 1_000)
    recorder.addEventListener('dataavailable', ({ data }) => {
      chunks.push(data)
      size += data.size
      if (size >= maxBytes) finish()
    })
    recorder.addEventListener('stop', () => {
      clearTimeout(timer)
      const isSilent = !hasSound()
      release()
      if (isSilent) return resolve(new Blob())
      // the type without its codec, which not every server accepts
      resolve(new Blob(chunks, { type: recorder.mimeType.split(';', 1)[0] ?? '' }))
    })
    recorder.start(chunkMs)
    // last: nothing after it fails and would leave it listening
    const hasSound = listenForSound(stream)
    return { finish, recording: promise }
  } catch (error) {
    release()
    throw error
  }
}

/** A recording has sound from this amplitude on. A quiet voice has more, a microphone that is off or muted has less. */
const minAmplitude = 0.005
/** How often the sound is measured. The analyser holds 0.7 s of it. */
const measureEveryMs = 500
const sampleCount = 32_768

/**
 * Listens for any sound, because speech models write sentences that nobody said (“Thank you for watching”) for silence.
 * @returns a function that stops listening and returns whether there was sound; true if that cannot be known
 */
function listenForSound(stream: MediaStream): () => boolean {
  const opened = openAnalyser(stream)
  if (!opened) return () => true
  const { context, analyser } = opened
  const measured = new Float32Array(sampleCount)
  let greatest = 0
  const measure = () => {
    analyser.getFloatTimeDomainData(measured)
    for (const amplitude of measured) greatest = Math.max(greatest, Math.abs(amplitude))
  }
  const timer = setInterval(measure, measureEveryMs)
  return () => {
    clearInterval(timer)
    measure()
    // a context that the browser has not started has measured nothing
    const isKnown = context.state === 'running'
    void context.close()
    return !isKnown || greatest >= minAmplitude
  }
}

function openAnalyser(stream: MediaStream) {
  try {
    const context = new AudioContext()
    const analyser = new AnalyserNode(context, { fftSize: sampleCount })
    context.createMediaStreamSource(stream).connect(analyser)
    return { context, analyser }
  } catch {
    // the browser has no audio contexts, or too many are open
    return undefined
  }
}
