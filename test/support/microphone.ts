/** Runs in the page: a microphone that hums, as `globalThis.microphone`. */
export function addMicrophone(): void {
  navigator.mediaDevices.getUserMedia = () => {
    const context = new AudioContext()
    const hum = context.createOscillator()
    const target = context.createMediaStreamDestination()
    hum.connect(target)
    hum.start()
    Object.assign(globalThis, { microphone: target.stream })
    return Promise.resolve(target.stream)
  }
}
