/** What a service starts: Node.js with the start program, and the data folder. */
export interface Service {
  node: string;
  program: string;
  dataDir: string;
  /** The user whose records they are: the name as the system writes it. */
  user: string;
}

const argumentsOf = ({ program, dataDir }: Service) => [program, '--no-browser', '--data-dir', dataDir];

/** systemd takes `%` as the beginning of a variable of its own, and a backslash as that of a code. */
const quoteForSystemd = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;

/** A unit of systemd among the services of a user. */
export const systemdUnit = (service: Service) => `[Unit]
Description=SIMS, student information management system
After=network.target

[Service]
Type=exec
ExecStart=${[service.node, ...argumentsOf(service)].map(quoteForSystemd).join(' ')}
Restart=on-failure
RestartSec=1
# A restart does not repair a damaged database (3), nor end another process (4).
RestartPreventExitStatus=3 4
TimeoutStopSec=15
UMask=0077

[Install]
WantedBy=default.target
`;

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A launch agent of macOS: it starts when its user signs in. */
export const launchAgent = (service: Service) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>sims</string>
  <key>ProgramArguments</key>
  <array>
${[service.node, ...argumentsOf(service)].map((part) => `    <string>${escapeXml(part)}</string>`).join('\n')}
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict>
</plist>
`;

/**
 * A task of Windows that starts with the computer, as its user without a password and without the rights of an administrator, and has no
 * limit of time.
 */
export const scheduledTask = (service: Service) => `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><BootTrigger><Enabled>true</Enabled></BootTrigger></Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(service.user)}</UserId>
      <LogonType>S4U</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(service.node)}</Command>
      <Arguments>${escapeXml(
        argumentsOf(service)
          .map((part) => `"${part}"`)
          .join(' '),
      )}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
