import { useTranslation } from "react-i18next";
import type { DiagnosedServer, StunDiagnosis } from "../../shared/api/stun-diagnosis.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { DataTable, type Column } from "../components/data-table.tsx";
import { Said } from "../components/said.tsx";
import { Section } from "../components/section.tsx";
import { VerdictBox } from "../components/verdict-box.tsx";
import { useFormat } from "../lib/use-format.ts";
import { BehaviourList } from "./behaviour-list.tsx";
import classes from "./diagnosis.module.css";
import { NatPicture } from "./nat-picture.tsx";
import { verdictOf, type Verdict } from "./verdict.ts";

const tones = {
  open: "good",
  good: "good",
  doubtful: "warn",
  filtered: "warn",
  bad: "bad",
  silent: "bad",
} as const satisfies Record<Verdict, string>;

/** The findings in words, as a picture, and as they came. */
export function DiagnosisResult({ found }: { found: StunDiagnosis }) {
  const { t } = useTranslation("diagnosis");
  const verdict = verdictOf(found);
  const transport = found.transport.toUpperCase();
  return (
    <>
      <Section
        title={t("result", { transport })}
        actions={<CopyButton text={JSON.stringify(found, null, 2)} what={t("asJson")} />}
      >
        <VerdictBox tone={tones[verdict]} title={t(`verdict.${verdict}.title`)}>
          {t(`verdict.${verdict}.what`, { transport })}
        </VerdictBox>
        {found.public_ip !== null && <NatPicture found={found} />}
        {found.public_ip !== null && <BehaviourList found={found} />}
      </Section>
      {found.advice.length > 0 && (
        <Section title={t("advice")}>
          <ul className={classes.advice}>
            {found.advice.map((sentence) => (
              <li key={sentence}>
                <Said sentence={sentence} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t("servers")}>
        <Servers servers={found.servers} />
      </Section>
    </>
  );
}

function Servers({ servers }: { servers: readonly DiagnosedServer[] }) {
  const { t } = useTranslation("diagnosis");
  const format = useFormat();
  const columns: Column<DiagnosedServer>[] = [
    {
      key: "server",
      header: t("server"),
      isTitle: true,
      cell: ({ server }) => <code className={classes.code}>{server}</code>,
    },
    {
      key: "seen",
      header: t("seen"),
      cell: ({ public_ip: ip, public_port: port, error }) =>
        ip === null ? (
          <span className={classes.failure}>
            {error === null ? t("noAnswer") : <Said sentence={error} />}
          </span>
        ) : (
          <code className={classes.code}>
            {ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`}
          </code>
        ),
    },
    {
      key: "rtt",
      header: t("rtt"),
      isRight: true,
      cell: ({ rtt_ms: ms }) => (ms === null ? "–" : format.milliseconds(ms)),
    },
  ];
  return (
    <DataTable
      caption={t("servers")}
      columns={columns}
      rows={servers}
      rowKey={({ server }) => server}
    />
  );
}
