{{- define "dokima.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "dokima.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dokima.labels" -}}
{{ include "dokima.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "dokima.image" -}}
{{- $repository := required "Set image.repository to the image that you built from the Dockerfile or copied from a release." .Values.image.repository -}}
{{- with .Values.image }}{{ $repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "dokima.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "dokima.name" .) }}
{{- end }}

{{/* What both kinds of pods have. */}}
{{- define "dokima.pod" -}}
{{- if not (or .Values.persistence.enabled .Values.settings.DOKIMA_S3_ENDPOINT) }}
{{- fail "Attachments need a place: set persistence.enabled=true, or settings.DOKIMA_S3_ENDPOINT to an S3-compatible store." }}
{{- end }}
serviceAccountName: {{ include "dokima.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
# The service finishes open requests for at most 25 s, and is taken out of the endpoints before.
terminationGracePeriodSeconds: 45
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    {{- if .Values.persistence.enabled }}
    persistentVolumeClaim:
      claimName: {{ .Values.persistence.existingClaim | default (include "dokima.name" .) }}
    {{- else }}
    emptyDir:
      sizeLimit: 1Gi
    {{- end }}
  {{- with .Values.authorities.configMap }}
  - name: authorities
    configMap:
      name: {{ . }}
  {{- end }}
{{- end }}

{{/* What both kinds of containers have. */}}
{{- define "dokima.container" -}}
image: {{ include "dokima.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - configMapRef:
      name: {{ include "dokima.name" . }}
  - secretRef:
      name: {{ required "Set existingSecret to a secret with the keys DATABASE_URL and DOKIMA_SECRET." .Values.existingSecret }}
volumeMounts:
  - name: data
    mountPath: /data
  {{- if .Values.authorities.configMap }}
  - name: authorities
    mountPath: /etc/dokima/authorities
    readOnly: true
  {{- end }}
{{- end }}

{{/* A worker answers the same paths. */}}
{{- define "dokima.probes" -}}
# A start waits for others that migrate the database.
startupProbe:
  httpGet:
    path: /healthz
    port: http
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet:
    path: /healthz
    port: http
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /readyz
    port: http
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{/* Pods of one kind on different nodes, as far as there are any. */}}
{{- define "dokima.affinity" -}}
{{- if .root.Values.affinity }}
{{- toYaml .root.Values.affinity }}
{{- else }}
podAntiAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "dokima.selector" .root | nindent 12 }}
            app.kubernetes.io/component: {{ .component }}
{{- end }}
{{- end }}
