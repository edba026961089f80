<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AttentionText</name>
    <message>
        <source>layer %1 of %2</source>
        <translation>第 %1 层，共 %2 层</translation>
    </message>
    <message>
        <source>row %1 of %2</source>
        <translation>第 %1 行，共 %2 行</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 层</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>T=%1</source>
        <translation>T=%1</translation>
    </message>
    <message>
        <source>causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>every query sees every key</source>
        <translation>每个查询都看到所有键</translation>
    </message>
</context>
<context>
    <name>BlockStages</name>
    <message>
        <source>%1 = %2 multiply-adds forward, twice that backward</source>
        <translation>前向 %1 = %2 次乘加，反向为其两倍</translation>
    </message>
    <message>
        <source>token + position</source>
        <translation>词元 + 位置</translation>
    </message>
    <message>
        <source>token embedding</source>
        <translation>词元嵌入</translation>
    </message>
    <message>
        <source>x (B, T, D): a row of the table (V, D) for each token</source>
        <translation>x (B, T, D)：每个词元取嵌入表 (V, D) 的一行</translation>
    </message>
    <message>
        <source>plus sines and cosines of its place, which are no parameters</source>
        <translation>再加上位置的正弦与余弦，它们不是参数</translation>
    </message>
    <message>
        <source>plus a learned row of the table (T, D) for its place</source>
        <translation>再加上位置表 (T, D) 中可学习的一行</translation>
    </message>
    <message>
        <source>its place is told later, by turning q and k</source>
        <translation>位置稍后通过旋转 q 和 k 给出</translation>
    </message>
    <message>
        <source>its place is not told</source>
        <translation>不给出位置</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>(B, T): B rows of T token ids from 0 to V − 1</source>
        <translation>(B, T)：B 行，每行 T 个词元编号，取值 0 到 V − 1</translation>
    </message>
    <message>
        <source>x·Wᵀ + b (B, T, 3D): W (3D, D), b (3D); q, k and v of all heads at once</source>
        <translation>x·Wᵀ + b (B, T, 3D)：W (3D, D)，b (3D)；一次得到所有注意力头的 q、k、v</translation>
    </message>
    <message>
        <source>split heads</source>
        <translation>拆分为多头</translation>
    </message>
    <message>
        <source>q, k and v as (B, H, T, d_head) with d_head = D / H: a view, nothing is computed</source>
        <translation>把 q、k、v 看作 (B, H, T, d_head)，d_head = D / H：只是视图，不做计算</translation>
    </message>
    <message>
        <source>scores ÷ √%1</source>
        <translation>分数 ÷ √%1</translation>
    </message>
    <message>
        <source>scores, not scaled</source>
        <translation>分数，未缩放</translation>
    </message>
    <message>
        <source>q·kᵀ / √d_head (B, H, T, T), %1</source>
        <translation>q·kᵀ / √d_head (B, H, T, T)，%1</translation>
    </message>
    <message>
        <source>q·kᵀ (B, H, T, T), not divided by %1</source>
        <translation>q·kᵀ (B, H, T, T)，未除以 %1</translation>
    </message>
    <message>
        <source>causal mask, softmax</source>
        <translation>因果掩码，softmax</translation>
    </message>
    <message>
        <source>weights (B, H, T, T): each row of scores up to its own place becomes shares that sum to 1; B·H·T·(T + 1)/2 = %1 exponentials</source>
        <translation>权重 (B, H, T, T)：每行分数中到自身位置为止的部分化为总和为 1 的比例；共 B·H·T·(T + 1)/2 = %1 次指数运算</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>weights·v (B, H, T, d_head)</source>
        <translation>权重·v (B, H, T, d_head)</translation>
    </message>
    <message>
        <source>merge, out_proj</source>
        <translation>合并多头，out_proj</translation>
    </message>
    <message>
        <source>heads side by side (B, T, D), then ·Wᵀ + b: W (D, D), b (D)</source>
        <translation>各头并排拼接为 (B, T, D)，再 ·Wᵀ + b：W (D, D)，b (D)</translation>
    </message>
    <message>
        <source>lm_head, logits</source>
        <translation>lm_head，logits</translation>
    </message>
    <message>
        <source>attn_out·Wᵀ + b (B, T, V): W (V, D), b (V); softmax over V is the answer</source>
        <translation>attn_out·Wᵀ + b (B, T, V)：W (V, D)，b (V)；对 V 做 softmax 即为答案</translation>
    </message>
</context>
<context>
    <name>Colormap</name>
    <message>
        <source>Cividis (same for color-blind eyes)</source>
        <translation>Cividis（色盲友好）</translation>
    </message>
    <message>
        <source>Magma</source>
        <translation>Magma</translation>
    </message>
    <message>
        <source>Grays</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
</context>
<context>
    <name>HeadGrid</name>
    <message>
        <source>0.5</source>
        <translation>0.5</translation>
    </message>
    <message>
        <source>−%1</source>
        <translation>−%1</translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>loss %1 → %2 without it</source>
        <translation>去掉它：损失 %1 → %2</translation>
    </message>
    <message>
        <source>loss %1 without it</source>
        <translation>去掉它：损失 %1</translation>
    </message>
    <message>
        <source>muted</source>
        <translation>已屏蔽</translation>
    </message>
    <message>
        <source>held uniform</source>
        <translation>强制均匀</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>已冻结</translation>
    </message>
    <message>
        <source>frozen · %1</source>
        <translation>已冻结 · %1</translation>
    </message>
    <message>
        <source>lag %1</source>
        <translation>滞后 %1</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>same token</source>
        <translation>当前词元</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>some weights are not numbers</source>
        <translation>有些权重不是数值</translation>
    </message>
    <message>
        <source>Head %1 is muted: %2.</source>
        <translation>头 %1 已屏蔽：%2。</translation>
    </message>
    <message>
        <source>Head %1 is held uniform.</source>
        <translation>头 %1 被强制为均匀注意。</translation>
    </message>
    <message>
        <source>Head %1 is frozen: %2.</source>
        <translation>头 %1 已冻结：%2。</translation>
    </message>
    <message>
        <source>Head %1: %2.</source>
        <translation>头 %1：%2。</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>下一词元</translation>
    </message>
    <message>
        <source>max of each</source>
        <translation>各自最大值</translation>
    </message>
</context>
<context>
    <name>LossChart</name>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>No run yet. Start one to see its loss fall.</source>
        <translation>尚未训练。点击“开始”，观察损失下降。</translation>
    </message>
    <message>
        <source>step %1 · loss %2 · accuracy %3 %</source>
        <translation>第 %1 步 · 损失 %2 · 准确率 %3 %</translation>
    </message>
    <message>
        <source> · smoothed %1 against %2</source>
        <translation> · 平滑值 %1，对照 %2</translation>
    </message>
    <message>
        <source>earlier run</source>
        <translation>之前的训练</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>本次训练</translation>
    </message>
    <message>
        <source>chance ln %1 = %2</source>
        <translation>随机猜测 ln %1 = %2</translation>
    </message>
</context>
<context>
    <name>Mechanism</name>
    <message>
        <source>Head %1 is %2</source>
        <translation>头 %1 处于%2状态</translation>
    </message>
    <message>
        <source>%1 of %2 heads are %3</source>
        <translation>%2 个头中有 %1 个处于%3状态</translation>
    </message>
    <message>
        <source>Heads %1 are %2</source>
        <translation>头 %1 处于%2状态</translation>
    </message>
    <message>
        <source>uniform = %1</source>
        <translation>均匀时 = %1</translation>
    </message>
    <message>
        <source>saturated from %1</source>
        <translation>%1 以上为饱和</translation>
    </message>
    <message>
        <source>Row entropy</source>
        <translation>行熵</translation>
    </message>
    <message>
        <source>Score standard deviation</source>
        <translation>分数标准差</translation>
    </message>
    <message>
        <source>Softmax Jacobian trace</source>
        <translation>softmax 雅可比矩阵的迹</translation>
    </message>
    <message>
        <source>Gradient norm of Q</source>
        <translation>Q 的梯度范数</translation>
    </message>
    <message>
        <source>Gradient norm of K</source>
        <translation>K 的梯度范数</translation>
    </message>
    <message>
        <source>−Σ a·ln a in nats, mean over the rows of the probe batch: 0 where one key has all the weight, ln(t + 1) where query t attends to all it sees alike</source>
        <translation>−Σ a·ln a，单位奈特，对探针批次的各行取平均：一个键独占全部权重时为 0；查询 t 对所见的键一视同仁时为 ln(t + 1)</translation>
    </message>
    <message>
        <source>Standard deviation of what enters the softmax, q·kᵀ (divided by √d_head where the model scales), over all visible scores of the probe batch; unscaled it grows with √d_head</source>
        <translation>进入 softmax 的 q·kᵀ（模型缩放时已除以 √d_head）在探针批次全部可见分数上的标准差；不缩放时随 √d_head 增长</translation>
    </message>
    <message>
        <source>1 − Σ a², mean over the rows of the probe batch: the trace of the softmax&apos;s Jacobian diag(a) − a·aᵀ. At 0 no gradient reaches the scores</source>
        <translation>1 − Σ a²，对探针批次的各行取平均：即 softmax 雅可比矩阵 diag(a) − a·aᵀ 的迹。为 0 时没有梯度能传到分数</translation>
    </message>
    <message>
        <source>Norm of the loss&apos;s gradient in the head&apos;s Q rows of qkv_proj. Unscaled scores begin with larger ones: this alone does not explain a stall</source>
        <translation>损失对 qkv_proj 中该头 Q 行的梯度范数。不缩放时起初反而更大：仅凭它不能解释训练停滞</translation>
    </message>
    <message>
        <source>Norm of the loss&apos;s gradient in the head&apos;s K rows of qkv_proj. Unscaled scores begin with larger ones: this alone does not explain a stall</source>
        <translation>损失对 qkv_proj 中该头 K 行的梯度范数。不缩放时起初反而更大：仅凭它不能解释训练停滞</translation>
    </message>
    <message>
        <source>saturated</source>
        <translation>饱和</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>sharp</source>
        <translation>尖锐</translation>
    </message>
    <message>
        <source>saturated: scores with a standard deviation of at least %1 and rows with at most %2 % of the uniform row&apos;s entropy; the softmax passes next to no gradient</source>
        <translation>饱和：分数标准差不小于 %1，且行熵不超过均匀行的 %2 %；softmax 几乎不传递梯度</translation>
    </message>
    <message>
        <source>uniform: rows with at least %1 % of the uniform row&apos;s entropy; not chosen yet</source>
        <translation>均匀：行熵不低于均匀行的 %1 %；尚未做出选择</translation>
    </message>
    <message>
        <source>sharp: rows with at most %1 % of the uniform row&apos;s entropy; few keys chosen</source>
        <translation>尖锐：行熵不超过均匀行的 %1 %；只选中少数几个键</translation>
    </message>
    <message>
        <source>rows between sharp (%1 % of the uniform row&apos;s entropy) and uniform (%2 %)</source>
        <translation>介于尖锐（均匀行熵的 %1 %）与均匀（%2 %）之间</translation>
    </message>
    <message>
        <source>%1: scores spread so wide (σ = %2) that one key takes a whole row, and the softmax passes next to no gradient (1 − Σa² = %3). Where it looks hardly changes any more.</source>
        <translation>%1：分数散布过宽（σ = %2），一个键独占整行，softmax 几乎不传递梯度（1 − Σa² = %3）。它的注意位置几乎不再改变。</translation>
    </message>
    <message>
        <source>%1: few keys have most of the weight (1 − Σa² = %2). None is saturated: scores are not spread so wide (σ = %3) that a row could not change.</source>
        <translation>%1：少数键占据大部分权重（1 − Σa² = %2）。没有饱和的头：分数散布（σ = %3）尚不足以使一行无法改变。</translation>
    </message>
    <message>
        <source>No head is saturated: the softmax passes gradient to the scores (1 − Σa² = %1).</source>
        <translation>没有饱和的头：softmax 能把梯度传到分数（1 − Σa² = %1）。</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>不是数值</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the numbers of heads</comment>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message>
        <source>twin, mean</source>
        <translation>对照组均值</translation>
    </message>
    <message>
        <source>head %1 · %2</source>
        <translation>头 %1 · %2</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>RunMarks</name>
    <message>
        <source>head %1 trains again</source>
        <translation>头 %1 恢复训练</translation>
    </message>
    <message>
        <source>head %1 uniform</source>
        <translation>头 %1 均匀</translation>
    </message>
    <message>
        <source>head %1 frozen</source>
        <translation>头 %1 冻结</translation>
    </message>
    <message>
        <source>head %1 muted</source>
        <translation>头 %1 屏蔽</translation>
    </message>
    <message>
        <source>head %1 muted: loss %2 → %3</source>
        <translation>头 %1 屏蔽：损失 %2 → %3</translation>
    </message>
    <message>
        <source>head %1: %2</source>
        <translation>头 %1：%2</translation>
    </message>
</context>
<context>
    <name>RunText</name>
    <message>
        <source>learned positions</source>
        <translation>可学习位置</translation>
    </message>
    <message>
        <source>rotary positions</source>
        <translation>旋转位置</translation>
    </message>
    <message>
        <source>no positions</source>
        <translation>无位置编码</translation>
    </message>
    <message>
        <source>sinusoidal positions</source>
        <translation>正弦位置</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>not scaled</source>
        <translation>不缩放</translation>
    </message>
    <message>
        <source>repeat</source>
        <translation>repeat（重复）</translation>
    </message>
    <message>
        <source>prefix-copy</source>
        <translation>prefix-copy（前缀复制）</translation>
    </message>
    <message>
        <source>lag-copy %1</source>
        <translation>lag-copy %1（滞后复制）</translation>
    </message>
    <message>
        <source>1 head</source>
        <translation>1 个头</translation>
    </message>
    <message>
        <source>%1 heads</source>
        <translation>%1 个头</translation>
    </message>
    <message>
        <source>scores ÷ √%1</source>
        <translation>分数 ÷ √%1</translation>
    </message>
    <message>
        <source>scores not scaled</source>
        <translation>分数未缩放</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>token std %1</source>
        <translation>词元标准差 %1</translation>
    </message>
    <message>
        <source>position std %1</source>
        <translation>位置标准差 %1</translation>
    </message>
    <message>
        <source>attention dropout %1</source>
        <translation>注意力 dropout %1</translation>
    </message>
    <message>
        <source>output dropout %1</source>
        <translation>输出 dropout %1</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between two differences of runs</comment>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>Sheet</name>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
</context>
<context>
    <name>SnapshotText</name>
    <message>
        <source>mostly the same token, mean weight %1</source>
        <translation>主要注意当前词元，平均权重 %1</translation>
    </message>
    <message>
        <source>mostly 1 token back, mean weight %1</source>
        <translation>主要注意前 1 个词元，平均权重 %1</translation>
    </message>
    <message>
        <source>mostly %1 tokens back, mean weight %2</source>
        <translation>主要注意前 %1 个词元，平均权重 %2</translation>
    </message>
    <message>
        <source>query %1 cannot see key %2 (causal mask)</source>
        <translation>查询 %1 看不到键 %2（因果掩码）</translation>
    </message>
    <message>
        <source>Head %1 · query %2 → key %3</source>
        <translation>头 %1 · 查询 %2 → 键 %3</translation>
    </message>
    <message>
        <source>weight %1, mean of %2 probe rows</source>
        <translation>权重 %1，%2 行探针的平均</translation>
    </message>
    <message>
        <source>weight %1, probe row %2</source>
        <translation>权重 %1，探针第 %2 行</translation>
    </message>
    <message>
        <source> · score %1</source>
        <translation> · 分数 %1</translation>
    </message>
    <message>
        <source>weight is not a number from 0 to 1: %1</source>
        <translation>权重不是 0 到 1 之间的数值：%1</translation>
    </message>
    <message>
        <source>probe row %1: token %2 → token %3</source>
        <translation>探针第 %1 行：词元 %2 → 词元 %3</translation>
    </message>
    <message>
        <source>%1 after %2 steps, %3 positions.</source>
        <translation>%1，%2 步之后，%3 个位置。</translation>
    </message>
    <message>
        <source>Head %1: %2.</source>
        <translation>头 %1：%2。</translation>
    </message>
    <message>
        <source>some weights are not numbers</source>
        <translation>有些权重不是数值</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1: %2 over %3 tokens, none of which sees later ones.</source>
        <translation>%1：%2，%3 个词元，都看不到之后的词元。</translation>
    </message>
    <message>
        <source>%1: %2 over %3 tokens, each of which sees all.</source>
        <translation>%1：%2，%3 个词元，每个都看到全部。</translation>
    </message>
</context>
<context>
    <name>SweepPicture</name>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>d_head = %1 / heads</source>
        <translation>d_head = %1 / 头数</translation>
    </message>
    <message>
        <source>steps to loss %1</source>
        <translation>损失降到 %1 所需步数</translation>
    </message>
    <message>
        <source>scores divided by √d_head</source>
        <translation>分数除以 √d_head</translation>
    </message>
    <message>
        <source>not divided</source>
        <translation>不除</translation>
    </message>
    <message>
        <source>%1 · D = %2 · V = %3 · T = %4 · B = %5 · Adam %6 · a dot a seed · first step at which the moving average (%7) of the loss is below %8; never: not within %9 steps</source>
        <translation>%1 · D = %2 · V = %3 · T = %4 · B = %5 · Adam %6 · 每点一个种子 · 损失的滑动平均（%7）首次低于 %8 的步数；从未：%9 步内未达到</translation>
    </message>
</context>
<context>
    <name>TwinChoice</name>
    <message>
        <source>scaling</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>number of heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>d_model</source>
        <translation>d_model</translation>
    </message>
    <message>
        <source>token std</source>
        <translation>词元标准差</translation>
    </message>
</context>
<context>
    <name>headscope::AboutDialog</name>
    <message>
        <source>About Headscope</source>
        <translation>关于 Headscope</translation>
    </message>
    <message>
        <source>See how attention learns. Free software under the GNU General Public License, version 3 or later.</source>
        <translation>看注意力如何学习。自由软件，采用 GNU 通用公共许可证第 3 版或更高版本。</translation>
    </message>
    <message>
        <source>Built with</source>
        <translation>所用的库</translation>
    </message>
    <message>
        <source>Matrices are multiplied by %1 on this machine.</source>
        <translation>本机的矩阵乘法由 %1 完成。</translation>
    </message>
    <message>
        <source>Copy &amp;Diagnostics</source>
        <translation>复制诊断信息(&amp;D)</translation>
    </message>
    <message>
        <source>Versions, system, screens and the experiment, as text: for a report of a fault</source>
        <translation>版本、系统、屏幕和实验，以文本形式：用于报告问题</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>headscope::AnimationDialog</name>
    <message>
        <source>&amp;Over and over</source>
        <translation>循环播放(&amp;O)</translation>
    </message>
    <message>
        <source>Captio&amp;n, with the step</source>
        <translation>带步数的说明(&amp;N)</translation>
    </message>
    <message>
        <source>Export the recorded run as an animation</source>
        <translation>将已记录的训练导出为动画</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>The run and its twin</source>
        <translation>本次训练与对照组</translation>
    </message>
    <message>
        <source> a second</source>
        <translation> 帧/秒</translation>
    </message>
    <message>
        <source> px</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Frames done</source>
        <translation>已完成帧数</translation>
    </message>
    <message>
        <source>&amp;Picture</source>
        <translation>图片(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Every n-th recorded step</source>
        <translation>每隔 n 个已记录步(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Frames</source>
        <translation>帧率(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>高度(&amp;H)</translation>
    </message>
    <message>
        <source>C&amp;olors</source>
        <translation>颜色(&amp;O)</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>%1 frames, %2 seconds</source>
        <translation>%1 帧，%2 秒</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Canceled; nothing was written.</source>
        <translation>已取消；没有写入任何内容。</translation>
    </message>
    <message>
        <source>GIF animation (*.gif);;WebP animation, lossless (*.webp)</source>
        <translation>GIF 动画 (*.gif);;WebP 动画，无损 (*.webp)</translation>
    </message>
    <message>
        <source>;;MP4 film (*.mp4)</source>
        <translation>;;MP4 视频 (*.mp4)</translation>
    </message>
    <message>
        <source>Save animation</source>
        <translation>保存动画</translation>
    </message>
</context>
<context>
    <name>headscope::AnimationDriver</name>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>There is not enough memory for this animation.</source>
        <translation>内存不足，无法制作此动画。</translation>
    </message>
</context>
<context>
    <name>headscope::AttendCommand</name>
    <message>
        <source>%1: attention of %2 heads over %3 tokens</source>
        <translation>%1：%2 个头对 %3 个词元的注意力</translation>
    </message>
</context>
<context>
    <name>headscope::AttendDialog</name>
    <message>
        <source>Attend with weights</source>
        <translation>用权重计算注意力</translation>
    </message>
    <message>
        <source>as the file says</source>
        <translation>按文件所述</translation>
    </message>
    <message>
        <source>Numbers from 0 to V−1, with spaces between</source>
        <translation>0 到 V−1 的数字，以空格分隔</translation>
    </message>
    <message>
        <source>divided by √d_head</source>
        <translation>除以 √d_head</translation>
    </message>
    <message>
        <source>not scaled</source>
        <translation>不缩放</translation>
    </message>
    <message>
        <source>sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>可学习</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>&amp;Tokens</source>
        <translation>词元(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Heads</source>
        <translation>头数(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Scores</source>
        <translation>分数(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Positions</source>
        <translation>位置编码(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Attend</source>
        <translation>计算注意力(&amp;A)</translation>
    </message>
    <message>
        <source>“%1” is no number: tokens are numbers from 0 to V−1.</source>
        <translation>“%1”不是数字：词元是 0 到 V−1 的数字。</translation>
    </message>
</context>
<context>
    <name>headscope::AttentionWindow</name>
    <message>
        <source>%1 – Attention – Headscope</source>
        <translation>%1 – 注意力 – Headscope</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>Row of the batch</source>
        <translation>批中的行</translation>
    </message>
    <message>
        <source>Row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>Attention of each head</source>
        <translation>各头的注意力</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open To&amp;kens…</source>
        <translation>打开词元(&amp;K)…</translation>
    </message>
    <message>
        <source>Export &amp;Heads…</source>
        <translation>导出所有头(&amp;H)…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Export &amp;One Head…</source>
        <translation>导出单个头(&amp;O)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>&amp;Copy Heads</source>
        <translation>复制所有头(&amp;C)</translation>
    </message>
    <message>
        <source>Close &amp;Window</source>
        <translation>关闭窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Ctrl+W</source>
        <translation>Ctrl+W</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Next Layer</source>
        <translation>下一层(&amp;N)</translation>
    </message>
    <message>
        <source>Ctrl+Down</source>
        <translation>Ctrl+Down</translation>
    </message>
    <message>
        <source>&amp;Previous Layer</source>
        <translation>上一层(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Up</source>
        <translation>Ctrl+Up</translation>
    </message>
    <message>
        <source>Next &amp;Row</source>
        <translation>下一行(&amp;R)</translation>
    </message>
    <message>
        <source>Ctrl+Right</source>
        <translation>Ctrl+Right</translation>
    </message>
    <message>
        <source>Previous Ro&amp;w</source>
        <translation>上一行(&amp;W)</translation>
    </message>
    <message>
        <source>Ctrl+Left</source>
        <translation>Ctrl+Left</translation>
    </message>
    <message>
        <source>&amp;Color Scale</source>
        <translation>色阶(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Lecture Mode</source>
        <translation>授课模式(&amp;L)</translation>
    </message>
    <message>
        <source>L&amp;eave Lecture Mode</source>
        <translation>退出授课模式(&amp;E)</translation>
    </message>
    <message>
        <source>Open tokens</source>
        <translation>打开词元</translation>
    </message>
    <message>
        <source>Tokens (*.txt *.json);;All files (*)</source>
        <translation>词元 (*.txt *.json);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>headscope::BadgeList</name>
    <message>
        <source>State of each head</source>
        <translation>各头的状态</translation>
    </message>
    <message>
        <source>Head %1 · %2 %3
%4</source>
        <translation>头 %1 · %2 %3
%4</translation>
    </message>
    <message>
        <source>Head %1: %2.</source>
        <translation>头 %1：%2。</translation>
    </message>
    <message>
        <source>Head %1: %2, %3.</source>
        <translation>头 %1：%2，%3。</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
</context>
<context>
    <name>headscope::CardTitle</name>
    <message>
        <source>Folds the card away and opens it again</source>
        <translation>折叠或展开此卡片</translation>
    </message>
</context>
<context>
    <name>headscope::CommandLine</name>
    <message>
        <source>repeat, prefix-copy or lag-copy</source>
        <translation>repeat、prefix-copy 或 lag-copy</translation>
    </message>
    <message>
        <source>how far back lag-copy copies from, ascending</source>
        <translation>lag-copy 从多远之前复制，升序</translation>
    </message>
    <message>
        <source>vocabulary V</source>
        <translation>词表大小 V</translation>
    </message>
    <message>
        <source>width D of the model</source>
        <translation>模型宽度 D</translation>
    </message>
    <message>
        <source>heads H; must divide the width</source>
        <translation>头数 H；必须整除宽度</translation>
    </message>
    <message>
        <source>context length T</source>
        <translation>上下文长度 T</translation>
    </message>
    <message>
        <source>rows in a batch, B</source>
        <translation>批大小 B</translation>
    </message>
    <message>
        <source>Adam&apos;s learning rate</source>
        <translation>Adam 的学习率</translation>
    </message>
    <message>
        <source>spread of the initial token embedding</source>
        <translation>词元嵌入初始标准差</translation>
    </message>
    <message>
        <source>sinusoidal, learned, rotary or none</source>
        <translation>sinusoidal、learned、rotary 或 none</translation>
    </message>
    <message>
        <source>spread of the initial learned positions</source>
        <translation>可学习位置初始标准差</translation>
    </message>
    <message>
        <source>probability of dropping a weight in training</source>
        <translation>训练中丢弃注意力权重的概率</translation>
    </message>
    <message>
        <source>the same of an element of the block&apos;s output</source>
        <translation>丢弃注意力块输出元素的概率</translation>
    </message>
    <message>
        <source>do not divide the scores by the root of d_head</source>
        <translation>分数不除以 d_head 的平方根</translation>
    </message>
    <message>
        <source>seed of all random numbers</source>
        <translation>所有随机数的种子</translation>
    </message>
    <message>
        <source>training steps</source>
        <translation>训练步数</translation>
    </message>
    <message>
        <source>en or zh_CN, for any command (default: as the system has it)</source>
        <translation>en 或 zh_CN，适用于所有命令（默认：跟随系统）</translation>
    </message>
    <message>
        <source>begin with this lesson (default: copy)</source>
        <translation>从这一课开始（默认：copy）</translation>
    </message>
    <message>
        <source>
Weights in a file:
  headscope attend WEIGHTS.safetensors --tokens &quot;3 1 4 1 5&quot; --out ATTENTION.npy
                        write the attention (H, T, T) that they pay to these tokens
  --heads N, --positions KIND, --no-scaling
                        what the file does not say, or otherwise than it says
  --input X.npy         instead of --tokens, for a bare attention block: a row for each token
  --logits FILE.npy     write the logits (T, V), or what comes out of a bare block, as well
  --prefix TEXT         what stands before the tensors&apos; names
</source>
        <translation>
文件中的权重：
  headscope attend WEIGHTS.safetensors --tokens &quot;3 1 4 1 5&quot; --out ATTENTION.npy
                        写出它们对这些词元的注意力 (H, T, T)
  --heads N、--positions KIND、--no-scaling
                        文件没有说明、或要与文件不同之处
  --input X.npy         代替 --tokens，用于单独的注意力块：每个词元一行
  --logits FILE.npy     同时写出 logits (T, V)，或单独注意力块的输出
  --prefix TEXT         张量名之前的部分
</translation>
    </message>
    <message>
        <source>
The sweep (the rest is as in the lesson scaling-stall unless an option says otherwise):
  --heads N,N,...       head counts (default: 1,2,4,8,16)
  --scaling on,off      with and without dividing the scores (default: on,off)
  --seeds N..N or N,N   seeds (default: 1..5)
  --threshold X         learned when the moving average of the loss is below (default: 1)
  --jobs N              runs at once (default: one a processor, as memory allows)
  --shard I/N           only part I of N; --merge joins the parts
</source>
        <translation>
扫描（其余与课程 scaling-stall 相同，除非另有选项）：
  --heads N,N,...       头数（默认：1,2,4,8,16）
  --scaling on,off      分数是否缩放（默认：on,off）
  --seeds N..N 或 N,N   种子（默认：1..5）
  --threshold X         损失的滑动平均低于此值视为学会（默认：1）
  --jobs N              同时训练的个数（默认：内存允许时每处理器一个）
  --shard I/N           只做 N 部分中的第 I 部分；用 --merge 合并
</translation>
    </message>
    <message>
        <source>Headscope shows how attention learns: a tiny multi-head attention model trains before your eyes.

Usage:
  headscope [OPTION]...                  open the window
  headscope FILE.headscope               open the window with a run that was saved
  headscope train [OPTION]... --out DIR  train without a window; write pictures and data to DIR
  headscope train --resume FILE.headscope [--steps N] --out DIR
                                         go on with a run that was saved, up to N steps in all
  headscope sweep [OPTION]... --out DIR  train for every combination of heads, scaling and seeds
  headscope sweep --merge DIR... --out DIR   join the parts of a sweep
  headscope verify [OPTION]...           check the attention block against its definition, for a
                                         --d-model, --heads, --context, --batch and --seed
  headscope lessons                      list the lessons

The experiment:
</source>
        <translation>Headscope 展示注意力如何学习：一个小型多头注意力模型在您眼前训练。

用法：
  headscope [OPTION]...                  打开窗口
  headscope FILE.headscope               打开窗口并载入已保存的训练
  headscope train [OPTION]... --out DIR  不开窗口训练；把图片和数据写入 DIR
  headscope train --resume FILE.headscope [--steps N] --out DIR
                                         继续已保存的训练，总共到第 N 步
  headscope sweep [OPTION]... --out DIR  对头数、缩放与种子的每种组合训练
  headscope sweep --merge DIR... --out DIR   合并扫描的各部分
  headscope verify [OPTION]...           按定义检验注意力块，可用
                                         --d-model、--heads、--context、--batch 和 --seed
  headscope lessons                      列出课程

实验：
</translation>
    </message>
    <message>
        <source>
Other:
  --out DIR             where train writes loss.csv, loss.png, heads.png,
                        attention.npy, experiment.json and run.headscope,
                        and sweep sweep.csv, sweep.png and sweep.json
  -h, --help            print this and exit
  --version             print the version and exit

Exit status: 0 done, 1 failed, 2 the command line cannot be meant.
</source>
        <translation>
其他：
  --out DIR             train 在此写入 loss.csv、loss.png、heads.png、
                        attention.npy、experiment.json 和 run.headscope；
                        sweep 写入 sweep.csv、sweep.png 和 sweep.json
  -h, --help            显示本帮助并退出
  --version             显示版本并退出

退出状态：0 完成，1 失败，2 命令行有误。
</translation>
    </message>
    <message>
        <source>
Files of train:
  --format FORMAT       of its pictures: png, svg or pdf (default: png)
  --animation NAME      write the heads as they learn as well: .gif, .webp or, where ffmpeg is
                        on the PATH, .mp4; to DIR, unless it is an absolute path
</source>
        <translation>
train 的文件：
  --format 格式          图片格式：png、svg 或 pdf（默认 png）
  --animation 文件名     另写各头的学习过程动画：.gif、.webp，或 PATH 中有 ffmpeg 时的 .mp4；
                        除非是绝对路径，否则放在 DIR 中
</translation>
    </message>
    <message>
        <source>
Attention in a file, .npy, .npz or .safetensors, (H, T, T), (B, H, T, T) or (layers, B, H, T, T):
  headscope render ATTENTION --out HEADS.png
                        draw its heads, as PNG, SVG or PDF; of a run in a .headscope file those
                        of the last recorded step
  --layer N, --row N, --head N
                        which, from 1 (default: the first layer and row, and every head)
  --array NAME          which array, where the file holds several
  --tokens FILE         the tokens&apos; texts: a JSON list, or one a line
  --width N, --dpi N    size in pixels (default: 1920), and dots an inch (default: 144)
  --palette NAME        viridis, cividis, magma or grays
  --caption TEXT        what stands below (default: the file&apos;s name, layer and row)
</source>
        <translation>
文件中的注意力，.npy、.npz 或 .safetensors，形状 (H, T, T)、(B, H, T, T) 或 (layers, B, H, T, T)：
  headscope render ATTENTION --out HEADS.png
                        把各头画成 PNG、SVG 或 PDF；
                        对 .headscope 文件中的训练，绘制最后记录的一步
  --layer N、--row N、--head N
                        从 1 数起（默认：第一层、第一行、所有头）
  --array NAME          文件中有多个数组时取哪一个
  --tokens FILE         词元文本：JSON 列表，或每行一个
  --width N、--dpi N    像素宽度（默认：1920）与每英寸点数（默认：144）
  --palette NAME        viridis、cividis、magma 或 grays
  --caption TEXT        图下方的文字（默认：文件名、层与行）
</translation>
    </message>
</context>
<context>
    <name>headscope::ComparePanel</name>
    <message>
        <source>Compare from the seed</source>
        <translation>从种子开始对照</translation>
    </message>
    <message>
        <source>Compare with a twin</source>
        <translation>与对照组比较</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>The twin&apos;s value</source>
        <translation>对照组的取值</translation>
    </message>
    <message>
        <source>Both learn from the same seed on the same batches, step by step</source>
        <translation>两者以相同种子、相同批次逐步训练</translation>
    </message>
    <message>
        <source>A twin learns beside this run, on the same batches. It differs in</source>
        <translation>对照组与本次训练并行，使用相同批次。不同之处：</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>This model can have no other</source>
        <translation>此模型没有其他取值</translation>
    </message>
    <message>
        <source>%1 is no such number</source>
        <translation>%1 不是可用的数值</translation>
    </message>
    <message>
        <source>The twin must have another value</source>
        <translation>对照组的取值必须不同</translation>
    </message>
</context>
<context>
    <name>headscope::Document</name>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>%1 is still being read: open %2 after it</source>
        <translation>仍在读取 %1：请在其完成后再打开 %2</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Headscope closes when the run is saved…</source>
        <translation>训练保存完毕后 Headscope 即关闭…</translation>
    </message>
</context>
<context>
    <name>headscope::ExperimentCard</name>
    <message>
        <source>Task and training</source>
        <translation>任务与训练</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>repeat: one random token, repeated
prefix-copy: T/2 random tokens, then the same again
lag-copy: the word of the symbols that stand lag₁, lag₂ … places back</source>
        <translation>重复（repeat）：一个随机词元不断重复
前缀复制（prefix-copy）：T/2 个随机词元，然后原样再来一遍
滞后复制（lag-copy）：由前 lag₁、lag₂ … 处的符号组成的词</translation>
    </message>
    <message>
        <source>repeat</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>prefix-copy</source>
        <translation>前缀复制</translation>
    </message>
    <message>
        <source>lag-copy</source>
        <translation>滞后复制</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>T, the tokens in a row: query t sees the keys 0 … t</source>
        <translation>T，每行的词元数：查询 t 能看到键 0 … t</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>V, the number of tokens; guessing loses ln V</source>
        <translation>V，词元种类数；随机猜测的损失为 ln V</translation>
    </message>
    <message>
        <source>d_model</source>
        <translation>d_model</translation>
    </message>
    <message>
        <source>D = n_heads · d_head, the width of the model</source>
        <translation>D = n_heads · d_head，模型宽度</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>B, the rows in a step; the loss is the mean of −ln p(target) over them</source>
        <translation>B，每步的行数；损失是这些行上 −ln p(target) 的平均</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Adam: θ ← θ − rate · m̂ / (√v̂ + ε)</source>
        <translation>Adam：θ ← θ − 学习率 · m̂ / (√v̂ + ε)</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>How the model knows where a token stands.
sinusoidal: sin and cos of t / 10000^(2i/D), added
learned: an embedding of its own, added
rotary: pairs of q and k turned by t / 10000^(2i/d_head)</source>
        <translation>模型如何知道词元的位置。
正弦：加上 t / 10000^(2i/D) 的 sin 与 cos
可学习：加上单独的位置嵌入
旋转：q 与 k 的成对分量旋转 t / 10000^(2i/d_head)</translation>
    </message>
    <message>
        <source>sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>可学习</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Position std</source>
        <translation>位置标准差</translation>
    </message>
    <message>
        <source>σ of the learned positions at the start: each number is drawn from N(0, σ²)</source>
        <translation>初始可学习位置的标准差 σ：每个数取自 N(0, σ²)</translation>
    </message>
    <message>
        <source>Token std</source>
        <translation>词元标准差</translation>
    </message>
    <message>
        <source>σ of the token embedding at the start: each number is drawn from N(0, σ²)</source>
        <translation>初始词元嵌入的标准差 σ：每个数取自 N(0, σ²)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed gives the same run, bit by bit</source>
        <translation>相同的种子得到逐位相同的训练</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>An epoch is %1 steps</source>
        <translation>每轮 %1 步</translation>
    </message>
    <message>
        <source>Lags</source>
        <translation>滞后</translation>
    </message>
    <message>
        <source>How many places back each symbol of the answer stands</source>
        <translation>答案的每个符号在多少个位置之前</translation>
    </message>
    <message>
        <source>“%1” is no list of whole numbers, such as 1, 4, 7</source>
        <translation>“%1”不是整数列表，例如 1, 4, 7</translation>
    </message>
    <message>
        <source>Learning rate, logarithmic</source>
        <translation>学习率，对数刻度</translation>
    </message>
    <message>
        <source>From 0.00001 to 1, logarithmic</source>
        <translation>从 0.00001 到 1，对数刻度</translation>
    </message>
    <message>
        <source>%1 heads do not divide %2: now %3</source>
        <translation>%1 个头不能整除 %2：改为 %3</translation>
    </message>
    <message>
        <source>“%1” is not a whole number that fits here</source>
        <translation>“%1”不是此处可用的整数</translation>
    </message>
    <message>
        <source>“%1” is not a number</source>
        <translation>“%1”不是数字</translation>
    </message>
    <message>
        <source>rotary positions need an even d_head: now %1 heads</source>
        <translation>旋转位置编码需要偶数 d_head：改为 %1 个头</translation>
    </message>
</context>
<context>
    <name>headscope::ExportDialog</name>
    <message>
        <source>Export picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>One head</source>
        <translation>单个头</translation>
    </message>
    <message>
        <source>Loss curve</source>
        <translation>损失曲线</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source> px</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> dpi</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>&amp;Picture</source>
        <translation>图片(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Head</source>
        <translation>头(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
    <message>
        <source>H&amp;eight</source>
        <translation>高度(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Resolution</source>
        <translation>分辨率(&amp;R)</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Copied to the clipboard.</source>
        <translation>已复制到剪贴板。</translation>
    </message>
    <message>
        <source>One head at several steps</source>
        <translation>单个头在若干步</translation>
    </message>
    <message>
        <source>The run and its twin</source>
        <translation>本次训练与对照组</translation>
    </message>
    <message>
        <source>Mechanism</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>Slide (16:9)</source>
        <translation>幻灯片 (16:9)</translation>
    </message>
    <message>
        <source>Print (170 × 105 mm)</source>
        <translation>印刷 (170 × 105 mm)</translation>
    </message>
    <message>
        <source>Own size</source>
        <translation>自定义尺寸</translation>
    </message>
    <message>
        <source>Transparent, on a light slide</source>
        <translation>透明，用于浅色幻灯片</translation>
    </message>
    <message>
        <source>Transparent, on a dark slide</source>
        <translation>透明，用于深色幻灯片</translation>
    </message>
    <message>
        <source>The same for all heads</source>
        <translation>所有头相同</translation>
    </message>
    <message>
        <source>Every head&apos;s own</source>
        <translation>每个头各自</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>T&amp;itles</source>
        <translation>标题(&amp;I)</translation>
    </message>
    <message>
        <source>Color &amp;bar</source>
        <translation>色标(&amp;B)</translation>
    </message>
    <message>
        <source>Each Head in a &amp;File…</source>
        <translation>每个头一个文件(&amp;F)…</translation>
    </message>
    <message>
        <source>As pixels and as SVG: what is pasted into takes what it knows</source>
        <translation>同时复制为像素图与 SVG：粘贴的程序取其支持的格式</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Steps with commas between; each shows the recorded one nearest to it</source>
        <translation>以逗号分隔的步数；每个显示与之最近的已记录步</translation>
    </message>
    <message>
        <source>At s&amp;teps</source>
        <translation>步数(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>度量(&amp;M)</translation>
    </message>
    <message>
        <source>F&amp;or</source>
        <translation>用途(&amp;O)</translation>
    </message>
    <message>
        <source>Te&amp;xt size</source>
        <translation>字号(&amp;X)</translation>
    </message>
    <message>
        <source>Co&amp;lors</source>
        <translation>颜色(&amp;L)</translation>
    </message>
    <message>
        <source>Color sc&amp;ale</source>
        <translation>色阶(&amp;A)</translation>
    </message>
    <message>
        <source>Captio&amp;n</source>
        <translation>说明(&amp;N)</translation>
    </message>
    <message>
        <source>A file for every head, its number behind this name</source>
        <translation>每个头一个文件，编号加在此名称之后</translation>
    </message>
    <message>
        <source>Steps are whole numbers with commas between, at most %1.</source>
        <translation>步数须为以逗号分隔的整数，最多 %1 个。</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>替换文件</translation>
    </message>
    <message>
        <source>These files are there already: %1. Replace them?</source>
        <translation>这些文件已存在：%1。要替换吗？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Saved %1 files in %2.</source>
        <translation>已在 %2 中保存 %1 个文件。</translation>
    </message>
    <message>
        <source>Its ran&amp;ge</source>
        <translation>取值范围(&amp;G)</translation>
    </message>
    <message>
        <source>Lang&amp;uage</source>
        <translation>语言(&amp;U)</translation>
    </message>
    <message>
        <source>There is not enough memory for this picture.</source>
        <translation>内存不足，无法生成此图片。</translation>
    </message>
</context>
<context>
    <name>headscope::HeadGrid</name>
    <message>
        <source>Attention of each head</source>
        <translation>各头的注意力</translation>
    </message>
    <message>
        <source>No heads yet.</source>
        <translation>还没有注意力头。</translation>
    </message>
    <message>
        <source>No heads yet. Start a run to see what they attend to.</source>
        <translation>还没有注意力头。开始训练，看看它们注意什么。</translation>
    </message>
    <message>
        <source>Click to mute this head, and again to let it train
The label is what it does most: 1 where it does nothing else, 0 where no more than a head that attends uniformly; mixed below %1</source>
        <translation>单击屏蔽此头，再次单击恢复训练
标签是它最主要的行为：1 表示只做这一件事，0 表示不比均匀注意更多；低于 %1 为混合</translation>
    </message>
</context>
<context>
    <name>headscope::HeadsCard</name>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Number of heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>n_heads must divide d_model: d_head = d_model / n_heads (+ and −)</source>
        <translation>n_heads 必须整除 d_model：d_head = d_model / n_heads（+ 与 −）</translation>
    </message>
    <message>
        <source>divisors of d_model %1</source>
        <translation>d_model %1 的约数</translation>
    </message>
    <message>
        <source>head of d_head %1, %2</source>
        <translation>个头，d_head %1，%2</translation>
    </message>
    <message>
        <source>heads of d_head %1, %2</source>
        <translation>个头，d_head %1，%2</translation>
    </message>
    <message>
        <source>rotary: d_head is even</source>
        <translation>旋转：d_head 为偶数</translation>
    </message>
    <message>
        <source>n_heads must divide d_model, and rotary positions turn pairs: d_head = d_model / n_heads must be even (+ and −)</source>
        <translation>n_heads 必须整除 d_model，且旋转位置编码按对旋转：d_head = d_model / n_heads 必须是偶数（+ 与 −）</translation>
    </message>
</context>
<context>
    <name>headscope::HeadsView</name>
    <message>
        <source>Attention of each head of the twin</source>
        <translation>对照组各头的注意力</translation>
    </message>
    <message>
        <source>the same experiment</source>
        <translation>相同的实验</translation>
    </message>
    <message>
        <source>%1 · d_head %2, %3</source>
        <translation>%1 · d_head %2，%3</translation>
    </message>
</context>
<context>
    <name>headscope::ImportanceBar</name>
    <message>
        <source>Mean cross-entropy on the probe batch with the context of head %1 zeroed, in nats: the bar. The mark is the loss with it</source>
        <translation>将头 %1 的上下文置零后探针批次的平均交叉熵（奈特）：条形。刻线是保留它时的损失</translation>
    </message>
    <message>
        <source>Loss without head %1</source>
        <translation>去掉头 %1 的损失</translation>
    </message>
    <message>
        <source>muted</source>
        <translation>已屏蔽</translation>
    </message>
    <message>
        <source>Head %1 is muted; the loss is %2.</source>
        <translation>头 %1 已屏蔽；损失为 %2。</translation>
    </message>
    <message>
        <source>Without head %1 the loss is %2, with it %3.</source>
        <translation>去掉头 %1 损失为 %2，保留为 %3。</translation>
    </message>
</context>
<context>
    <name>headscope::ImportanceCard</name>
    <message>
        <source>Without this head</source>
        <translation>去掉这个头</translation>
    </message>
    <message>
        <source>Start a run to see what each head is worth.</source>
        <translation>开始训练，看看每个头的作用有多大。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the last change of a head</source>
        <translation>撤销对头的上一次更改</translation>
    </message>
    <message>
        <source>Takes the last change of a head back; the weights stay as they are now</source>
        <translation>撤回对头的上一次更改；权重保持现状</translation>
    </message>
    <message>
        <source>with all: %1</source>
        <translation>全部保留：%1</translation>
    </message>
    <message>
        <source>now: %1</source>
        <translation>现在：%1</translation>
    </message>
    <message>
        <source>mute</source>
        <translation>屏蔽</translation>
    </message>
    <message>
        <source>unmute</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>What else head %1 can do</source>
        <translation>头 %1 的其他选项</translation>
    </message>
    <message>
        <source>As trained, attend uniformly, or freeze</source>
        <translation>按训练结果、均匀注意或冻结</translation>
    </message>
    <message>
        <source>As trained</source>
        <translation>按训练结果</translation>
    </message>
    <message>
        <source>Attend uniformly</source>
        <translation>均匀注意</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>Unmute head %1</source>
        <translation>恢复头 %1</translation>
    </message>
    <message>
        <source>Mute head %1</source>
        <translation>屏蔽头 %1</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>Lets head %1 work again</source>
        <translation>让头 %1 重新工作</translation>
    </message>
    <message>
        <source>Zeroes the context of head %1 in the running model</source>
        <translation>在运行中的模型里将头 %1 的上下文置零</translation>
    </message>
</context>
<context>
    <name>headscope::KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>In the pictures</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Go from cell to cell, and along a curve</source>
        <translation>在格子之间移动，或沿曲线移动</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Mute the head of the cell</source>
        <translation>屏蔽该格所在的头</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Export the head of the cell</source>
        <translation>导出该格所在的头</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>Go on to the next control</source>
        <translation>到下一个控件</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>headscope::LessonCard</name>
    <message>
        <source>attn_out</source>
        <translation>attn_out</translation>
    </message>
    <message>
        <source>∂ qkv_proj</source>
        <translation>∂ qkv_proj</translation>
    </message>
    <message>
        <source>∂ its bias</source>
        <translation>∂ 偏置</translation>
    </message>
    <message>
        <source>∂ input</source>
        <translation>∂ 输入</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>largest value</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Tokens of padding</source>
        <translation>填充词元数</translation>
    </message>
    <message>
        <source>Attention of head 1 under causality and padding</source>
        <translation>因果掩码与填充掩码下头 1 的注意力</translation>
    </message>
    <message>
        <source>All outputs and gradients are finite.</source>
        <translation>所有输出与梯度都是有限值。</translation>
    </message>
    <message>
        <source>Some outputs or gradients are not finite.</source>
        <translation>有些输出或梯度不是有限值。</translation>
    </message>
    <message>
        <source>No padding: every query sees at least itself.</source>
        <translation>无填充：每个查询至少看得到自己。</translation>
    </message>
    <message>
        <source>First %1 tokens: padding. As many queries see nothing; their attn_out is out_proj&apos;s bias, off by %2 at most.</source>
        <translation>前 %1 个词元为填充。同样数目的查询什么也看不到；它们的 attn_out 就是 out_proj 的偏置，误差至多 %2。</translation>
    </message>
    <message>
        <source>Measured here</source>
        <translation>本机实测</translation>
    </message>
    <message>
        <source>three or one</source>
        <translation>三次或一次投影</translation>
    </message>
    <message>
        <source>causal and padding</source>
        <translation>因果与填充</translation>
    </message>
</context>
<context>
    <name>headscope::LessonLibrary</name>
    <message>
        <source>a text that is not empty</source>
        <translation>非空文本</translation>
    </message>
    <message>
        <source>a positive number</source>
        <translation>正数</translation>
    </message>
    <message>
        <source>fused-qkv or masked-rows</source>
        <translation>fused-qkv 或 masked-rows</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>a whole number, 0 or more</source>
        <translation>不小于 0 的整数</translation>
    </message>
</context>
<context>
    <name>headscope::LossChart</name>
    <message>
        <source>Loss curve</source>
        <translation>损失曲线</translation>
    </message>
    <message>
        <source>diverged at step %1</source>
        <translation>在第 %1 步发散</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>loss (nats)</source>
        <translation>损失（奈特）</translation>
    </message>
    <message>
        <source>No loss yet.</source>
        <translation>还没有损失。</translation>
    </message>
    <message>
        <source>Loss %1 at step %2, smoothed %3, accuracy %4 %; chance is %5.</source>
        <translation>第 %2 步损失 %1，平滑值 %3，准确率 %4 %；随机猜测为 %5。</translation>
    </message>
    <message>
        <source>Its twin, %1: smoothed %2.</source>
        <translation>对照组，%1：平滑值 %2。</translation>
    </message>
    <message>
        <source>Step %1: %2.</source>
        <translation>第 %1 步：%2。</translation>
    </message>
    <message>
        <source>Earlier runs: %1.</source>
        <translation>之前的训练：%1。</translation>
    </message>
</context>
<context>
    <name>headscope::MainWindow</name>
    <message>
        <source>What to look for</source>
        <translation>看点</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Insights</source>
        <translation>洞察</translation>
    </message>
    <message>
        <source>Attention of each head</source>
        <translation>各头的注意力</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>each batch, and smoothed %1</source>
        <translation>每个批次，及平滑值 %1</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>训练(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Start or Pause</source>
        <translation>开始或暂停(&amp;S)</translation>
    </message>
    <message>
        <source>One S&amp;tep</source>
        <translation>单步(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Restart from the Seed</source>
        <translation>从种子重新开始(&amp;R)</translation>
    </message>
    <message>
        <source>S&amp;caling On or Off</source>
        <translation>开关缩放(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;More Heads</source>
        <translation>增加头数(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Fewer Heads</source>
        <translation>减少头数(&amp;F)</translation>
    </message>
    <message>
        <source>M&amp;ute or Train</source>
        <translation>屏蔽或训练(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Undo Muting</source>
        <translation>撤销屏蔽(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Compare with a Twin, or End It</source>
        <translation>开始或结束对照(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Play the Recorded Run</source>
        <translation>播放记录(&amp;P)</translation>
    </message>
    <message>
        <source>Back to &amp;Live</source>
        <translation>回到实时(&amp;L)</translation>
    </message>
    <message>
        <source>S&amp;weep…</source>
        <translation>参数扫描(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Color Scale</source>
        <translation>色阶(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;ontrols</source>
        <translation>控制面板(&amp;O)</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>Forget the &amp;Ghosts</source>
        <translation>清除旧曲线(&amp;G)</translation>
    </message>
    <message>
        <source>Whole Loss C&amp;urve</source>
        <translation>显示整条损失曲线(&amp;U)</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>&amp;Probe</source>
        <translation>探针(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+P</source>
        <translation>Ctrl+P</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <source>The tokens the heads are looked at with, and what is predicted (Ctrl+P)</source>
        <translation>用来观察各头的词元，以及预测结果 (Ctrl+P)</translation>
    </message>
    <message>
        <source>&amp;Lecture Mode</source>
        <translation>授课模式(&amp;L)</translation>
    </message>
    <message>
        <source>L&amp;eave Lecture Mode</source>
        <translation>退出授课模式(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Headscope</source>
        <translation>关于 Headscope(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Heads…</source>
        <translation>所有头(&amp;H)…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>&amp;One Head…</source>
        <translation>单个头(&amp;O)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>&amp;Loss Curve…</source>
        <translation>损失曲线(&amp;L)…</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>&amp;Copy Heads</source>
        <translation>复制所有头(&amp;C)</translation>
    </message>
    <message>
        <source>Copy One H&amp;ead</source>
        <translation>复制单个头(&amp;E)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Copy Loss C&amp;urve</source>
        <translation>复制损失曲线(&amp;U)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+L</source>
        <translation>Ctrl+Shift+L</translation>
    </message>
    <message>
        <source>Head &amp;%1</source>
        <translation>头 &amp;%1</translation>
    </message>
    <message>
        <source>There is no picture yet: press Start (Space)</source>
        <translation>还没有图片：请按“开始”（空格）</translation>
    </message>
    <message>
        <source>Copied: paste it into a slide</source>
        <translation>已复制：可粘贴到幻灯片</translation>
    </message>
    <message>
        <source>mean over %1 probe rows</source>
        <translation>%1 行探针的平均</translation>
    </message>
    <message>
        <source>probe row %1</source>
        <translation>探针第 %1 行</translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · 第 %2 步</translation>
    </message>
    <message>
        <source>The comparison has ended: the two would not differ, or could not be compared</source>
        <translation>对照已结束：两者没有不同，或无法比较</translation>
    </message>
    <message>
        <source>As the &amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Reset settings</source>
        <translation>重置设置</translation>
    </message>
    <message>
        <source>The size of the window, the colors, the language, what exports offer and the list of recent files become what they were at the first start. The run goes on.</source>
        <translation>窗口大小、配色、语言、导出选项和最近文件列表恢复为首次启动时的状态。训练继续进行。</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Reset Setti&amp;ngs…</source>
        <translation>重置设置(&amp;N)…</translation>
    </message>
    <message>
        <source>What am I seeing?</source>
        <translation>我看到的是什么？</translation>
    </message>
    <message>
        <source>One causal triangle a head. A row is a query, a column a key it may look at: the lighter the cell, the larger the weight, and each row sums to 1. Above the diagonal is the future: nothing is there.</source>
        <translation>每个注意力头一个因果三角形。一行是一个查询，一列是它可以看的一个键：格子越亮，权重越大，每行之和为 1。对角线上方是未来：那里什么也没有。</translation>
    </message>
    <message>
        <source>The loss falls</source>
        <translation>损失在下降</translation>
    </message>
    <message>
        <source>The dashed line is what guessing costs, ln V. The pale curve is every batch, the bold one their moving average. As it falls, the triangles above take their shape.</source>
        <translation>虚线是随机猜测的损失 ln V。淡色曲线是每个批次，粗线是滑动平均。它下降时，上面的三角形渐渐成形。</translation>
    </message>
    <message>
        <source>What lecturers switch off</source>
        <translation>讲课时关掉的开关</translation>
    </message>
    <message>
        <source>weights = softmax(q·kᵀ / √d_head). Without the division the scores grow with √d_head, the softmax saturates, and wide heads stop learning. How much it matters here is told beforehand.</source>
        <translation>weights = softmax(q·kᵀ / √d_head)。不做除法，分数随 √d_head 增大，softmax 饱和，宽的头不再学习。在这里影响多大，事先就会说明。</translation>
    </message>
    <message>
        <source>Nothing is lost</source>
        <translation>什么也不会丢</translation>
    </message>
    <message>
        <source>The whole run is recorded. Drag back along the timeline, and the heads, the curve and the mechanism go with you; Live returns. Other lessons are in the bar above, and F1 lists the keys.</source>
        <translation>整个训练过程都有记录。沿时间轴往回拖，各头、曲线和机制都跟着走；“实时”回到现在。其他课程在上方工具栏，按 F1 列出快捷键。</translation>
    </message>
    <message>
        <source>Copied: paste it into your report</source>
        <translation>已复制：可粘贴到问题报告中</translation>
    </message>
    <message>
        <source>&amp;What Am I Seeing?</source>
        <translation>我看到的是什么？(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Copy &amp;Diagnostics</source>
        <translation>复制诊断信息(&amp;D)</translation>
    </message>
    <message>
        <source>The twin has heads of its own: what is muted is muted in the first run</source>
        <translation>对照组有自己的头：屏蔽只作用于第一组</translation>
    </message>
    <message>
        <source>Export &amp;Data</source>
        <translation>导出数据(&amp;D)</translation>
    </message>
    <message>
        <source>One Head at Several &amp;Steps…</source>
        <translation>单个头在若干步(&amp;S)…</translation>
    </message>
    <message>
        <source>Run and &amp;Twin…</source>
        <translation>训练与对照组(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Mechanism…</source>
        <translation>机制(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Animation…</source>
        <translation>动画(&amp;A)…</translation>
    </message>
    <message>
        <source>Table of comma-separated values (*.csv)</source>
        <translation>逗号分隔值表格 (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Loss as CSV…</source>
        <translation>损失 (CSV)(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Mechanism as CSV…</source>
        <translation>机制 (CSV)(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Attention as NPY…</source>
        <translation>注意力 (NPY)(&amp;A)…</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>&amp;Recorded Run…</source>
        <translation>已记录的训练(&amp;R)…</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npz);;safetensors (*.safetensors)</source>
        <translation>NumPy 数组 (*.npz);;safetensors (*.safetensors)</translation>
    </message>
    <message>
        <source>Save data</source>
        <translation>保存数据</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>There is no recorded run yet: press Start (Space)</source>
        <translation>还没有已记录的训练：请按“开始”（空格）</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>As &amp;Trained</source>
        <translation>按训练结果(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Mute</source>
        <translation>屏蔽(&amp;M)</translation>
    </message>
    <message>
        <source>Attend &amp;Uniformly</source>
        <translation>均匀注意(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Freeze</source>
        <translation>冻结(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Export This Head…</source>
        <translation>导出这个头(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Copy This Head</source>
        <translation>复制这个头(&amp;C)</translation>
    </message>
    <message>
        <source>There is no twin: press Compare (C)</source>
        <translation>没有对照组：请按“对照”(C)</translation>
    </message>
    <message>
        <source>&amp;Weights as safetensors…</source>
        <translation>权重，safetensors 格式(&amp;W)…</translation>
    </message>
    <message>
        <source>safetensors (*.safetensors)</source>
        <translation>safetensors (*.safetensors)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>Reopen the Last Sitti&amp;ng</source>
        <translation>重新打开上次的内容(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>Headscope ended unexpectedly. The run it was at can be restored.</source>
        <translation>Headscope 意外结束。当时的训练可以恢复。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Runs, attention and weights (%1)</source>
        <translation>训练、注意力与权重 (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>run</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Run of Headscope (*.headscope)</source>
        <translation>Headscope 训练 (*.headscope)</translation>
    </message>
    <message>
        <source>La&amp;nguage</source>
        <translation>语言(&amp;N)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>headscope::MechanismCard</name>
    <message>
        <source>Mechanism</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>What is drawn of each head</source>
        <translation>绘制每个头的哪个量</translation>
    </message>
    <message>
        <source>gray: %1, mean of its heads</source>
        <translation>灰色：%1，各头的平均</translation>
    </message>
    <message>
        <source>Start a run to see what its heads do.</source>
        <translation>开始训练，看看各头在做什么。</translation>
    </message>
</context>
<context>
    <name>headscope::MechanismChart</name>
    <message>
        <source>%1 per head</source>
        <translation>各头的%1</translation>
    </message>
    <message>
        <source>No steps yet.</source>
        <translation>还没有训练步。</translation>
    </message>
    <message>
        <source>head %1: %2</source>
        <translation>头 %1：%2</translation>
    </message>
    <message>
        <source>%1 at step %2: %3.</source>
        <translation>第 %2 步的%1：%3。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>headscope::PaceScale</name>
    <message>
        <source>unlimited</source>
        <translation>不限速</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 步/秒</translation>
    </message>
</context>
<context>
    <name>headscope::ProbeCard</name>
    <message>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Puts the token back</source>
        <translation>恢复该词元</translation>
    </message>
    <message>
        <source>Probe row</source>
        <translation>探针行</translation>
    </message>
    <message>
        <source>Whose attention is shown: the mean over the probe batch, or one row of it</source>
        <translation>显示谁的注意力：探针批次的平均，或其中一行</translation>
    </message>
    <message>
        <source>mean of %1 rows</source>
        <translation>%1 行平均</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>Attention after the softmax: each row sums to 1</source>
        <translation>softmax 之后的注意力：每行总和为 1</translation>
    </message>
    <message>
        <source>Scores before the softmax, on a scale that is symmetric about 0</source>
        <translation>softmax 之前的分数，色阶以 0 为中心对称</translation>
    </message>
    <message>
        <source>Probe tokens</source>
        <translation>探针词元</translation>
    </message>
    <message>
        <source>Click a token to change it below</source>
        <translation>单击一个词元，在下方修改</translation>
    </message>
    <message>
        <source>Token to put at the position</source>
        <translation>要放在该位置的词元</translation>
    </message>
    <message>
        <source>The outputs that change light up: none to the left of the token</source>
        <translation>发生变化的输出会亮起：该词元左侧一个也没有</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>随机抽取</translation>
    </message>
    <message>
        <source>A new random row of the task</source>
        <translation>任务的一行新随机样本</translation>
    </message>
    <message>
        <source>Change position %1 to</source>
        <translation>把位置 %1 改为</translation>
    </message>
    <message>
        <source>%1 tokens from 0 to %2, then Enter</source>
        <translation>%1 个 0 到 %2 的词元，然后回车</translation>
    </message>
    <message>
        <source>%1 is no token</source>
        <translation>%1 不是词元</translation>
    </message>
    <message>
        <source>0 probe tokens for a context length of %1</source>
        <translation>上下文长度为 %1，但探针词元为 0 个</translation>
    </message>
    <message>
        <source>tokens and answers: row 1 of them</source>
        <translation>词元与答案：其中第 1 行</translation>
    </message>
    <message>
        <source>row 1 as edited</source>
        <translation>第 1 行（已编辑）</translation>
    </message>
</context>
<context>
    <name>headscope::Progress</name>
    <message>
        <source>step %1 of %2, loss %3, %4 steps/s</source>
        <translation>第 %1 步，共 %2 步，损失 %3，%4 步/秒</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>第 %1 次，共 %2 次训练</translation>
    </message>
</context>
<context>
    <name>headscope::Refusal</name>
    <message>
        <source>%1 is %2: that is out of range</source>
        <translation>%1 为 %2：超出范围</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;: it must be a whole number</source>
        <translation>%1 为“%2”：必须是整数</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;: it must be a number</source>
        <translation>%1 为“%2”：必须是数字</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;: it must be one of %3</source>
        <translation>%1 为“%2”：必须是 %3 之一</translation>
    </message>
    <message>
        <source>%1 has &apos;%2&apos; in it: it must be whole numbers with commas between</source>
        <translation>%1 中有“%2”：必须是用逗号分隔的整数</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;: it must be a whole number, 0 or more</source>
        <translation>%1 为“%2”：必须是不小于 0 的整数</translation>
    </message>
    <message>
        <source>unexpected argument &apos;%1&apos;</source>
        <translation>多余的参数“%1”</translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;: see headscope --help</source>
        <translation>未知选项“%1”：参见 headscope --help</translation>
    </message>
    <message>
        <source>%1 takes no value</source>
        <translation>%1 不带值</translation>
    </message>
    <message>
        <source>%1 needs a value</source>
        <translation>%1 需要一个值</translation>
    </message>
    <message>
        <source>%1 needs --out DIR, where to write to</source>
        <translation>%1 需要 --out DIR 指定写入位置</translation>
    </message>
    <message>
        <source>%1 has &apos;%2&apos; in it: a range must be such as 1..5, of at most %3</source>
        <translation>%1 中有“%2”：范围应形如 1..5，至多 %3 个</translation>
    </message>
    <message>
        <source>%1 is %2: it must be from 1 to %3</source>
        <translation>%1 为 %2：必须在 1 到 %3 之间</translation>
    </message>
    <message>
        <source>sweep --merge takes directories and --out only</source>
        <translation>sweep --merge 只接受目录和 --out</translation>
    </message>
    <message>
        <source>a sweep takes %1 instead of %2</source>
        <translation>扫描应使用 %1 而不是 %2</translation>
    </message>
    <message>
        <source>unknown command &apos;%1&apos;: see headscope --help</source>
        <translation>未知命令“%1”：参见 headscope --help</translation>
    </message>
    <message>
        <source>%1 has no key &apos;%2&apos;</source>
        <translation>%1 缺少键“%2”</translation>
    </message>
    <message>
        <source>%1 has an unknown key &apos;%2&apos;</source>
        <translation>%1 中有未知的键“%2”</translation>
    </message>
    <message>
        <source>%1: in &apos;%2&apos;, %3</source>
        <translation>%1：在“%2”中，%3</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is not %3</source>
        <translation>%1：“%2”不是%3</translation>
    </message>
    <message>
        <source>%1 is no JSON object: %2</source>
        <translation>%1 不是 JSON 对象：%2</translation>
    </message>
    <message>
        <source>there is no display to open the window on; headscope train needs none</source>
        <translation>没有可打开窗口的显示器；headscope train 不需要显示器</translation>
    </message>
    <message>
        <source>cannot write to the standard output</source>
        <translation>无法写入标准输出</translation>
    </message>
    <message>
        <source>there is not enough memory for this experiment</source>
        <translation>内存不足，无法进行此实验</translation>
    </message>
    <message>
        <source>cannot write to %1: it is not a directory</source>
        <translation>无法写入 %1：它不是目录</translation>
    </message>
    <message>
        <source>cannot make the directory %1: %2</source>
        <translation>无法创建目录 %1：%2</translation>
    </message>
    <message>
        <source>cannot write to %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>stopped after %1 of %2 runs; the same command goes on from there</source>
        <translation>在 %2 次训练中完成 %1 次后停止；同一命令可从此处继续</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>cannot use %1: %2</source>
        <translation>无法使用 %1：%2</translation>
    </message>
    <message>
        <source>cannot use %1: line %2 is no run of it</source>
        <translation>无法使用 %1：第 %2 行不是其中的训练</translation>
    </message>
    <message>
        <source>%1 holds another sweep, or another part of it: choose another directory</source>
        <translation>%1 中是另一个扫描或其另一部分：请选择其他目录</translation>
    </message>
    <message>
        <source>%1 has a %2 in it but no %3: choose another directory</source>
        <translation>%1 中有 %2 而没有 %3：请选择其他目录</translation>
    </message>
    <message>
        <source>%1 and %2 hold different sweeps</source>
        <translation>%1 与 %2 中是不同的扫描</translation>
    </message>
    <message>
        <source>%1 has a run that another part has too: n_heads %2, seed %3</source>
        <translation>%1 中有另一部分也包含的训练：n_heads %2，种子 %3</translation>
    </message>
    <message>
        <source>%1 of the sweep&apos;s %2 runs are in none of the parts</source>
        <translation>扫描的 %2 次训练中有 %1 次不在任何部分里</translation>
    </message>
    <message>
        <source>diverged at step %1</source>
        <translation>在第 %1 步发散</translation>
    </message>
    <message>
        <source>a mask of shape %1 has %2 sizes: at most 4 are allowed</source>
        <translation>形状为 %1 的掩码有 %2 维：至多 4 维</translation>
    </message>
    <message>
        <source>a mask of shape %1 has a size below 1: none may be</source>
        <translation>形状为 %1 的掩码有小于 1 的维度：不允许</translation>
    </message>
    <message>
        <source>a mask of shape %1 has %2 values: it needs %3</source>
        <translation>形状为 %1 的掩码有 %2 个值：需要 %3 个</translation>
    </message>
    <message>
        <source>a mask of shape %1 does not broadcast to (B, H, Lq, Lk) = %2</source>
        <translation>形状为 %1 的掩码不能广播到 (B, H, Lq, Lk) = %2</translation>
    </message>
    <message>
        <source>%1 head modes for %2 heads</source>
        <translation>%2 个头却有 %1 个头模式</translation>
    </message>
    <message>
        <source>d_head %1 is odd: rotary positions need an even one</source>
        <translation>d_head %1 是奇数：旋转位置编码需要偶数</translation>
    </message>
    <message>
        <source>%1: there is no such file</source>
        <translation>%1：没有这个文件</translation>
    </message>
    <message>
        <source>%1: this is not a file</source>
        <translation>%1：这不是文件</translation>
    </message>
    <message>
        <source>%1: the file cannot be opened</source>
        <translation>%1：无法打开文件</translation>
    </message>
    <message>
        <source>%1: the file has %2 bytes: at most %3 can be read</source>
        <translation>%1：文件有 %2 字节：至多可读 %3 字节</translation>
    </message>
    <message>
        <source>%1: the file cannot be read</source>
        <translation>%1：无法读取文件</translation>
    </message>
    <message>
        <source>%1: there is not enough memory to read the file</source>
        <translation>%1：内存不足，无法读取文件</translation>
    </message>
    <message>
        <source>%1: tensor %2 needs dtype, shape and data_offsets</source>
        <translation>%1：张量 %2 需要 dtype、shape 和 data_offsets</translation>
    </message>
    <message>
        <source>%1: %2 is there twice</source>
        <translation>%1：%2 出现两次</translation>
    </message>
    <message>
        <source>%1: tensor %2 has the dtype %3: it must be BOOL, F64, F32, F16, BF16, or I or U with 8, 16, 32 or 64</source>
        <translation>%1：张量 %2 的 dtype 为 %3：必须是 BOOL、F64、F32、F16、BF16，或 I、U 加 8、16、32、64</translation>
    </message>
    <message>
        <source>%1: its header is not valid JSON</source>
        <translation>%1：文件头不是有效的 JSON</translation>
    </message>
    <message>
        <source>%1: its header is not a JSON object</source>
        <translation>%1：文件头不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1: the value of %2 in the header is not an object</source>
        <translation>%1：文件头中 %2 的值不是对象</translation>
    </message>
    <message>
        <source>%1: the value of %2 in %3 is not what the format allows</source>
        <translation>%1：%3 中 %2 的值不合格式</translation>
    </message>
    <message>
        <source>%1: the shape of tensor %2 is too large for any file</source>
        <translation>%1：张量 %2 的形状超出任何文件的大小</translation>
    </message>
    <message>
        <source>%1: tensor %2 lies at bytes %3 to %4 of %5</source>
        <translation>%1：张量 %2 位于第 %3 到 %4 字节，而总共只有 %5 字节</translation>
    </message>
    <message>
        <source>%1: tensor %2 has %3 bytes and its shape needs %4</source>
        <translation>%1：张量 %2 有 %3 字节，其形状需要 %4 字节</translation>
    </message>
    <message>
        <source>%1: tensor %2 overlaps another</source>
        <translation>%1：张量 %2 与另一个重叠</translation>
    </message>
    <message>
        <source>%1: there is a hole before tensor %2</source>
        <translation>%1：张量 %2 之前有空洞</translation>
    </message>
    <message>
        <source>%1: %2 bytes at its end belong to no tensor</source>
        <translation>%1：末尾 %2 字节不属于任何张量</translation>
    </message>
    <message>
        <source>%1: %2 bytes are too few for a safetensors file</source>
        <translation>%1：%2 字节太少，不足以成为 safetensors 文件</translation>
    </message>
    <message>
        <source>%1: its header should have %2 bytes and the file has only %3 more</source>
        <translation>%1：文件头应有 %2 字节，而文件只剩 %3 字节</translation>
    </message>
    <message>
        <source>%1: its header has %2 bytes: at most %3 are allowed</source>
        <translation>%1：文件头有 %2 字节：至多允许 %3 字节</translation>
    </message>
    <message>
        <source>%1: there is no tensor %2</source>
        <translation>%1：没有张量 %2</translation>
    </message>
    <message>
        <source>a tensor of whole numbers is needed here, and this one is of fractions</source>
        <translation>此处需要整数张量，而这个是小数</translation>
    </message>
    <message>
        <source>%1 is too large a whole number</source>
        <translation>%1 作为整数过大</translation>
    </message>
    <message>
        <source>checking %1 attention weights takes too long: at most %2, so fewer rows, heads or tokens</source>
        <translation>检验 %1 个注意力权重耗时过长：至多 %2 个，请减少行、头或词元</translation>
    </message>
    <message>
        <source>%1 targets for %2 tokens: each token needs one</source>
        <translation>%2 个词元却有 %1 个目标：每个词元需要一个</translation>
    </message>
    <message>
        <source>target %1 is outside the vocabulary: it must be from 0 to %2, or -1 to be ignored</source>
        <translation>目标 %1 不在词表内：必须在 0 到 %2 之间，或为 -1 表示忽略</translation>
    </message>
    <message>
        <source>every target is -1: a loss needs at least one that counts</source>
        <translation>所有目标都是 -1：损失至少需要一个有效目标</translation>
    </message>
    <message>
        <source>only the head count and the scaling of a model can change, not its other sizes</source>
        <translation>模型只能改变头数与缩放，不能改变其他大小</translation>
    </message>
    <message>
        <source>%1 tokens for a batch of %2</source>
        <translation>批大小为 %2，却有 %1 个词元</translation>
    </message>
    <message>
        <source>token %1 is outside the vocabulary: it must be from 0 to %2</source>
        <translation>词元 %1 不在词表内：必须在 0 到 %2 之间</translation>
    </message>
    <message>
        <source>%1 is %2: it must be from %3 to %4</source>
        <translation>%1 为 %2：必须在 %3 到 %4 之间</translation>
    </message>
    <message>
        <source>n_heads %1 does not divide d_model %2</source>
        <translation>n_heads %1 不能整除 d_model %2</translation>
    </message>
    <message>
        <source>d_model %1 is odd: sinusoidal positions need an even one</source>
        <translation>d_model %1 是奇数：正弦位置编码需要偶数</translation>
    </message>
    <message>
        <source>%1 is %2: it must be from 0 to 100</source>
        <translation>%1 为 %2：必须在 0 到 100 之间</translation>
    </message>
    <message>
        <source>%1 is %2: it must be at least 0 and less than 1</source>
        <translation>%1 为 %2：必须不小于 0 且小于 1</translation>
    </message>
    <message>
        <source>lag-copy has %1 lags: it needs from 1 to 8</source>
        <translation>lag-copy 有 %1 个滞后：需要 1 到 8 个</translation>
    </message>
    <message>
        <source>lag %1 does not fit: it must be at least 1 and less than the context length %2</source>
        <translation>滞后 %1 不合适：必须不小于 1 且小于上下文长度 %2</translation>
    </message>
    <message>
        <source>lag %1 follows lag %2: lags must ascend</source>
        <translation>滞后 %1 在 %2 之后：滞后必须递增</translation>
    </message>
    <message>
        <source>vocabulary %1 has no whole root of degree %2, which copying at %2 lags needs</source>
        <translation>词表 %1 没有整数 %2 次方根，而 %2 个滞后的复制需要它</translation>
    </message>
    <message>
        <source>context length %1 is odd: copying a prefix needs an even one</source>
        <translation>上下文长度 %1 是奇数：前缀复制需要偶数</translation>
    </message>
    <message>
        <source>learning rate %1 is not a positive finite number</source>
        <translation>学习率 %1 不是有限的正数</translation>
    </message>
    <message>
        <source>training at this size takes %1 GB of memory: at most %2 are allowed; a shorter context, a smaller batch or fewer heads help</source>
        <translation>此规模的训练需要 %1 GB 内存：至多允许 %2 GB；可缩短上下文、减小批或减少头数</translation>
    </message>
    <message>
        <source>a running model can carry on with another head count, scaling or learning rate only</source>
        <translation>运行中的模型只能改变头数、缩放或学习率后继续</translation>
    </message>
    <message>
        <source>twins must have the same task, lags, vocabulary, context length, batch size, seed and steps</source>
        <translation>对照的两组必须有相同的任务、滞后、词表、上下文长度、批大小、种子和步数</translation>
    </message>
    <message>
        <source>%1 must be a list of whole numbers</source>
        <translation>%1 必须是整数列表</translation>
    </message>
    <message>
        <source>%1 must be a whole number from 0 to 2⁶⁴ − 1</source>
        <translation>%1 必须是 0 到 2⁶⁴ − 1 的整数</translation>
    </message>
    <message>
        <source>%1 must be a number</source>
        <translation>%1 必须是数字</translation>
    </message>
    <message>
        <source>%1 must be true or false</source>
        <translation>%1 必须是 true 或 false</translation>
    </message>
    <message>
        <source>%1 must be a whole number of at most 2³¹ − 1</source>
        <translation>%1 必须是不超过 2³¹ − 1 的整数</translation>
    </message>
    <message>
        <source>%1 must be one of %2</source>
        <translation>%1 必须是 %2 之一</translation>
    </message>
    <message>
        <source>an experiment&apos;s values are not nested</source>
        <translation>实验的值不能嵌套</translation>
    </message>
    <message>
        <source>%1 is there twice</source>
        <translation>%1 出现两次</translation>
    </message>
    <message>
        <source>an experiment must be valid JSON</source>
        <translation>实验必须是有效的 JSON</translation>
    </message>
    <message>
        <source>an experiment must be a JSON object</source>
        <translation>实验必须是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 is not a member of an experiment</source>
        <translation>%1 不是实验的成员</translation>
    </message>
    <message>
        <source>probe row</source>
        <translation>探针行</translation>
    </message>
    <message>
        <source>%1 probe tokens for a context length of %2</source>
        <translation>上下文长度为 %2，却有 %1 个探针词元</translation>
    </message>
    <message>
        <source>probe token</source>
        <translation>探针词元</translation>
    </message>
    <message>
        <source>ripple position</source>
        <translation>涟漪位置</translation>
    </message>
    <message>
        <source>ripple token</source>
        <translation>涟漪词元</translation>
    </message>
    <message>
        <source>there is not enough memory for this model</source>
        <translation>内存不足，无法运行此模型</translation>
    </message>
    <message>
        <source>there is no run to carry on with</source>
        <translation>没有可继续的训练</translation>
    </message>
    <message>
        <source>this run has no weights to carry on with: restart it</source>
        <translation>此训练没有可继续的权重：请重新开始</translation>
    </message>
    <message>
        <source>there is no run to probe</source>
        <translation>没有可探查的训练</translation>
    </message>
    <message>
        <source>the pace must be more than 0 steps per second</source>
        <translation>速度必须大于每秒 0 步</translation>
    </message>
    <message>
        <source>a sweep needs at least one of %1</source>
        <translation>扫描至少需要一个 %1</translation>
    </message>
    <message>
        <source>a sweep has one of %1 twice</source>
        <translation>扫描中 %1 有重复</translation>
    </message>
    <message>
        <source>threshold %1 is not a positive finite number</source>
        <translation>阈值 %1 不是有限的正数</translation>
    </message>
    <message>
        <source>part %1/%2 cannot be: parts are counted from 1/%2 to %2/%2</source>
        <translation>没有第 %1/%2 部分：从 1/%2 数到 %2/%2</translation>
    </message>
    <message>
        <source>it describes no sweep</source>
        <translation>它没有描述扫描</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no part of a sweep: it must be such as 2/5</source>
        <translation>“%1”不是扫描的一部分：应形如 2/5</translation>
    </message>
    <message>
        <source>%1: a block&apos;s input must be a matrix (T, D), a row for each token</source>
        <translation>%1：注意力块的输入必须是矩阵 (T, D)，每个词元一行</translation>
    </message>
    <message>
        <source>%1 holds a whole model: give it --tokens, not --input</source>
        <translation>%1 中是完整模型：请用 --tokens，而不是 --input</translation>
    </message>
    <message>
        <source>%1 holds a bare block, which knows no tokens: give it --input X.npy</source>
        <translation>%1 中只有注意力块，不认识词元：请用 --input X.npy</translation>
    </message>
    <message>
        <source>%1 does not take %2</source>
        <translation>%1 不接受 %2</translation>
    </message>
    <message>
        <source>attend needs a safetensors file of weights</source>
        <translation>attend 需要一个 safetensors 权重文件</translation>
    </message>
    <message>
        <source>attend needs either --tokens &quot;3 1 4&quot; or, for a bare block, --input X.npy</source>
        <translation>attend 需要 --tokens &quot;3 1 4&quot;，或对单独的注意力块用 --input X.npy</translation>
    </message>
    <message>
        <source>%1 needs --out FILE, where to write to</source>
        <translation>%1 需要 --out FILE 指定写入的文件</translation>
    </message>
    <message>
        <source>not all of the settings in %1 can be read; those that can hold</source>
        <translation>%1 中的设置不能全部读取；可读的部分有效</translation>
    </message>
    <message>
        <source>the settings cannot be kept in %1: they hold until the window closes</source>
        <translation>设置无法保存到 %1：仅在窗口关闭前有效</translation>
    </message>
    <message>
        <source>the setting %1 in %2 is &apos;%3&apos;, which cannot be meant: it is passed over</source>
        <translation>%2 中的设置 %1 为“%3”，无法理解：已忽略</translation>
    </message>
    <message>
        <source>cannot write %1: it is a directory</source>
        <translation>无法写入 %1：它是目录</translation>
    </message>
    <message>
        <source>cannot write %1: it is not a regular file</source>
        <translation>无法写入 %1：它不是普通文件</translation>
    </message>
    <message>
        <source>%1: this is neither an NPY, an NPZ nor a safetensors file</source>
        <translation>%1：它不是 NPY、NPZ 或 safetensors 文件</translation>
    </message>
    <message>
        <source>%1: there is no array %2</source>
        <translation>%1：没有数组 %2</translation>
    </message>
    <message>
        <source>%1: it holds no attention: no array of fractions (H, T, T), (B, H, T, T) or (layers, B, H, T, T)</source>
        <translation>%1：其中没有注意力：没有形状为 (H, T, T)、(B, H, T, T) 或 (layers, B, H, T, T) 的小数数组</translation>
    </message>
    <message>
        <source>%1: it holds several arrays that may be attention, such as %2 and %3: say which</source>
        <translation>%1：其中有多个可能是注意力的数组，例如 %2 和 %3：请指明</translation>
    </message>
    <message>
        <source>%1: its values are of the type %2: weights must be fractions</source>
        <translation>%1：其值的类型为 %2：权重必须是小数</translation>
    </message>
    <message>
        <source>%1: it has the shape %2: attention must be (H, T, T), (B, H, T, T) or (layers, B, H, T, T)</source>
        <translation>%1：形状为 %2：注意力必须是 (H, T, T)、(B, H, T, T) 或 (layers, B, H, T, T)</translation>
    </message>
    <message>
        <source>%1: it has the shape %2: there is nothing in it</source>
        <translation>%1：形状为 %2：其中没有内容</translation>
    </message>
    <message>
        <source>%1: it has the shape %2: at most %3 heads and %4 tokens can be shown</source>
        <translation>%1：形状为 %2：至多可显示 %3 个头和 %4 个词元</translation>
    </message>
    <message>
        <source>%1: a weight of %2 is %3: it must be from 0 to 1</source>
        <translation>%1：%2 的一个权重为 %3：必须在 0 到 1 之间</translation>
    </message>
    <message>
        <source>%1: the weights of %2 sum to %3: they must sum to 1, as after a softmax, without dropout</source>
        <translation>%1：%2 的权重总和为 %3：应当为 1，即 softmax 之后且没有 dropout</translation>
    </message>
    <message>
        <source>%1: tokens must be a list of texts, or a list of such lists, in JSON</source>
        <translation>%1：词元必须是 JSON 中的文本列表，或这种列表的列表</translation>
    </message>
    <message>
        <source>%1: there are tokens of %2 rows: the attention has %3</source>
        <translation>%1：有 %2 行词元，而注意力有 %3 行</translation>
    </message>
    <message>
        <source>%1: there are %2 tokens: the attention is over %3</source>
        <translation>%1：有 %2 个词元，而注意力覆盖 %3 个</translation>
    </message>
    <message>
        <source>%1: its header is not one of an NPY file</source>
        <translation>%1：文件头不是 NPY 的文件头</translation>
    </message>
    <message>
        <source>%1: it holds records, not plain numbers</source>
        <translation>%1：其中是记录，而不是数字</translation>
    </message>
    <message>
        <source>%1: it holds pickled Python objects, which are never read</source>
        <translation>%1：其中是 pickle 的 Python 对象，绝不读取</translation>
    </message>
    <message>
        <source>%1: it holds values of the type %2: they must be numbers of up to 8 bytes</source>
        <translation>%1：其中的值类型为 %2：必须是不超过 8 字节的数字</translation>
    </message>
    <message>
        <source>%1: this is not an NPY file</source>
        <translation>%1：它不是 NPY 文件</translation>
    </message>
    <message>
        <source>%1: its NPY version must be 1.0, 2.0 or 3.0</source>
        <translation>%1：NPY 版本必须是 1.0、2.0 或 3.0</translation>
    </message>
    <message>
        <source>%1: it ends within its header</source>
        <translation>%1：文件在文件头内就结束了</translation>
    </message>
    <message>
        <source>%1: its shape is too large for any file</source>
        <translation>%1：形状超出任何文件的大小</translation>
    </message>
    <message>
        <source>%1: it has %2 bytes of values and its shape needs %3</source>
        <translation>%1：有 %2 字节的值，而形状需要 %3 字节</translation>
    </message>
    <message>
        <source>%1: it is not a whole ZIP archive</source>
        <translation>%1：它不是完整的 ZIP 归档</translation>
    </message>
    <message>
        <source>%1: it holds %2, which is not an NPY file</source>
        <translation>%1：其中的 %2 不是 NPY 文件</translation>
    </message>
    <message>
        <source>%1: %2 is compressed in a way that numpy does not use</source>
        <translation>%1：%2 的压缩方式不是 numpy 所用的</translation>
    </message>
    <message>
        <source>%1: its arrays come to more than %2 bytes, which is too much for a file of %3</source>
        <translation>%1：其数组超过 %2 字节，对 %3 字节的文件来说过大</translation>
    </message>
    <message>
        <source>%1: %2 in it is damaged</source>
        <translation>%1：其中的 %2 已损坏</translation>
    </message>
    <message>
        <source>a run of %1 steps cannot have made %2</source>
        <translation>共 %1 步的训练不可能已完成 %2 步</translation>
    </message>
    <message>
        <source>a random generator&apos;s state cannot be all zeros</source>
        <translation>随机数发生器的状态不能全为零</translation>
    </message>
    <message>
        <source>twins must have made equally many steps</source>
        <translation>对照的两组必须完成相同的步数</translation>
    </message>
    <message>
        <source>there is no run to save</source>
        <translation>没有可保存的训练</translation>
    </message>
    <message>
        <source>%1 is missing in its description, or not what it must be</source>
        <translation>描述中缺少 %1，或其值不合要求</translation>
    </message>
    <message>
        <source>there is no tensor %1</source>
        <translation>没有张量 %1</translation>
    </message>
    <message>
        <source>tensor %1 is %2: it must be %3</source>
        <translation>张量 %1 为 %2：必须是 %3</translation>
    </message>
    <message>
        <source>%1 is %2: it must be from 0 to %3</source>
        <translation>%1 为 %2：必须在 0 到 %3 之间</translation>
    </message>
    <message>
        <source>a frame of step %1 is not where it can be</source>
        <translation>第 %1 步的帧不在应有的位置</translation>
    </message>
    <message>
        <source>a run of %1 bytes is too large for a session file: at most %2 are written</source>
        <translation>%1 字节的训练对会话文件来说过大：至多写入 %2 字节</translation>
    </message>
    <message>
        <source>%1: this is no session of Headscope</source>
        <translation>%1：它不是 Headscope 的会话文件</translation>
    </message>
    <message>
        <source>%1: this session is of version %2: only version %3 can be read</source>
        <translation>%1：此会话为版本 %2：只能读取版本 %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: its experiment cannot be read: %2</source>
        <translation>%1：其中的实验无法读取：%2</translation>
    </message>
    <message>
        <source>%1: it holds neither a model (%2) nor an attention block (%3)</source>
        <translation>%1：其中既没有模型（%2）也没有注意力块（%3）</translation>
    </message>
    <message>
        <source>%1: it holds several sets of weights, such as %2 and %3: a prefix must choose one</source>
        <translation>%1：其中有多组权重，例如 %2 和 %3：须用前缀选择一组</translation>
    </message>
    <message>
        <source>%1: tensor %2 has the shape %3: it must be a matrix</source>
        <translation>%1：张量 %2 的形状为 %3：必须是矩阵</translation>
    </message>
    <message>
        <source>%1: tensor %2 has the shape %3: it must be %4</source>
        <translation>%1：张量 %2 的形状为 %3：必须是 %4</translation>
    </message>
    <message>
        <source>%1: tensor %2 has the dtype %3: weights must be F64, F32, F16 or BF16</source>
        <translation>%1：张量 %2 的 dtype 为 %3：权重必须是 F64、F32、F16 或 BF16</translation>
    </message>
    <message>
        <source>%1: tensor %2 has a value that is not finite</source>
        <translation>%1：张量 %2 中有非有限值</translation>
    </message>
    <message>
        <source>%1: %2 in its metadata is %3, which cannot be meant</source>
        <translation>%1：元数据中的 %2 为 %3，无法理解</translation>
    </message>
    <message>
        <source>%1: how many heads it has is not in the file and must be said</source>
        <translation>%1：文件中没有头数，必须指明</translation>
    </message>
    <message>
        <source>%1: how it knows positions is not in the file and must be said</source>
        <translation>%1：文件中没有位置编码方式，必须指明</translation>
    </message>
    <message>
        <source>%1: it has learned positions, and the kind asked for is %2</source>
        <translation>%1：它使用可学习位置，而要求的是 %2</translation>
    </message>
    <message>
        <source>%1: it has no tensor of learned positions, which are asked for</source>
        <translation>%1：要求可学习位置，但其中没有该张量</translation>
    </message>
    <message>
        <source>there are no tokens to attend to</source>
        <translation>没有可注意的词元</translation>
    </message>
    <message>
        <source>there are %1 tokens: the model has learned %2 positions</source>
        <translation>有 %1 个词元：模型只学过 %2 个位置</translation>
    </message>
    <message>
        <source>the input has the width %1: the block&apos;s is %2</source>
        <translation>输入宽度为 %1：注意力块的宽度为 %2</translation>
    </message>
    <message>
        <source>cannot write %1: the name of a picture must end in .png, .svg or .pdf</source>
        <translation>无法写入 %1：图片文件名必须以 .png、.svg 或 .pdf 结尾</translation>
    </message>
    <message>
        <source>cannot write %1: the name of an animation must end in .gif, .webp or .mp4</source>
        <translation>无法写入 %1：动画文件名必须以 .gif、.webp 或 .mp4 结尾</translation>
    </message>
    <message>
        <source>there is no animation of a run that has no recorded step</source>
        <translation>训练没有已记录的步，无法制作动画</translation>
    </message>
    <message>
        <source>--jobs is %1: of runs as large as these, memory allows %2 at once</source>
        <translation>--jobs 为 %1：这样大的训练，内存只允许同时 %2 个</translation>
    </message>
    <message>
        <source>cannot make the animation: %1</source>
        <translation>无法制作动画：%1</translation>
    </message>
    <message>
        <source>cannot make an MP4: the program ffmpeg is not on the PATH</source>
        <translation>无法制作 MP4：PATH 中没有 ffmpeg 程序</translation>
    </message>
    <message>
        <source>ffmpeg made no MP4: %1</source>
        <translation>ffmpeg 未能制作 MP4：%1</translation>
    </message>
    <message>
        <source>render needs an NPY, NPZ or safetensors file of attention</source>
        <translation>render 需要一个注意力文件（NPY、NPZ 或 safetensors）</translation>
    </message>
    <message>
        <source>stopped while making the animation; nothing was written</source>
        <translation>制作动画时被停止；没有写入任何内容</translation>
    </message>
    <message>
        <source>a mask of shape %1 would have more values than can be counted</source>
        <translation>形状为 %1 的掩码的值多得无法计数</translation>
    </message>
    <message>
        <source>training both at once takes %1 GB of memory: at most %2 are allowed; a shorter context, a smaller batch or fewer heads help</source>
        <translation>同时训练两组需要 %1 GB 内存：至多允许 %2 GB；可缩短上下文、减小批或减少头数</translation>
    </message>
    <message>
        <source>there is not enough memory for this file</source>
        <translation>内存不足，无法处理此文件</translation>
    </message>
    <message>
        <source>%1: its name must end with %2</source>
        <translation>%1：文件名必须以 %2 之一结尾</translation>
    </message>
    <message>
        <source>what the session says of the window is no JSON object</source>
        <translation>会话中关于窗口的内容不是 JSON 对象</translation>
    </message>
    <message>
        <source>what the session says of the window has no valid &apos;%1&apos;</source>
        <translation>会话中关于窗口的内容没有有效的“%1”</translation>
    </message>
    <message>
        <source>cannot keep this sitting in %1</source>
        <translation>无法把本次的内容保存在 %1</translation>
    </message>
    <message>
        <source>stopped at step %1; train --resume %2 goes on from there</source>
        <translation>在第 %1 步停止；train --resume %2 可从那里继续</translation>
    </message>
    <message>
        <source>%1: this run diverged at step %2 and cannot go on</source>
        <translation>%1：此训练在第 %2 步发散，无法继续</translation>
    </message>
    <message>
        <source>%1: this run has made all of its %2 steps; --steps N lets it make more</source>
        <translation>%1：此训练的 %2 步已全部完成；用 --steps N 可继续更多步</translation>
    </message>
    <message>
        <source>%1 holds a bare block, which knows no tokens: the command headscope attend can give it rows of numbers instead</source>
        <translation>%1 中只有注意力块，不认识词元：可用命令 headscope attend 改为输入数值行</translation>
    </message>
    <message>
        <source>its curves have %1 steps and its run has made %2</source>
        <translation>其曲线有 %1 步，而训练已完成 %2 步</translation>
    </message>
    <message>
        <source>%1 can hold either attention or logits</source>
        <translation>%1 只能保存注意力或 logits 之一</translation>
    </message>
    <message>
        <source>%1 is to be read: another file must be written</source>
        <translation>%1 是要读取的文件：必须写入另一个文件</translation>
    </message>
    <message>
        <source>the system starts no further thread: %1</source>
        <translation>系统无法再启动线程：%1</translation>
    </message>
    <message>
        <source>the weights cannot be exported: their run has ended, or memory is short</source>
        <translation>无法导出权重：其训练已结束，或内存不足</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;: it must be a file&apos;s name, which goes to the directory that --out names, or an absolute path</source>
        <translation>%1 为“%2”：必须是文件名（写入 --out 指定的目录）或绝对路径</translation>
    </message>
    <message>
        <source>%1 was not saved: its run ended before it could be</source>
        <translation>%1 未保存：其训练在保存之前已结束</translation>
    </message>
    <message>
        <source>%1 was not saved: there is not enough memory for it</source>
        <translation>%1 未保存：内存不足</translation>
    </message>
    <message>
        <source>%1 is a run, which has no %2</source>
        <translation>%1 是一次训练，没有 %2</translation>
    </message>
    <message>
        <source>%1: no step of this run was recorded</source>
        <translation>%1：此训练没有记录任何一步</translation>
    </message>
    <message>
        <source>%1 is a NumPy array (NPY), not %2</source>
        <translation>%1 是 NumPy 数组（NPY），不是%2</translation>
    </message>
    <message>
        <source>%1 is a ZIP archive, as NPZ and PyTorch files are, not %2</source>
        <translation>%1 是 ZIP 归档（NPZ 和 PyTorch 文件即如此），不是%2</translation>
    </message>
    <message>
        <source>%1 is a safetensors file, not %2</source>
        <translation>%1 是 safetensors 文件，不是%2</translation>
    </message>
    <message>
        <source>%1 is a picture, not %2</source>
        <translation>%1 是图片，不是%2</translation>
    </message>
    <message>
        <source>%1 is a PDF document, not %2</source>
        <translation>%1 是 PDF 文档，不是%2</translation>
    </message>
    <message>
        <source>%1 is compressed by gzip, not %2</source>
        <translation>%1 是 gzip 压缩文件，不是%2</translation>
    </message>
    <message>
        <source>%1 is an HDF5 file, not %2</source>
        <translation>%1 是 HDF5 文件，不是%2</translation>
    </message>
    <message>
        <source>%1 is a Python pickle, which may run programs and is never read, not %2</source>
        <translation>%1 是 Python pickle（可能会运行程序，从不读取），不是%2</translation>
    </message>
    <message>
        <source>%1 is an XML or SVG document, not %2</source>
        <translation>%1 是 XML 或 SVG 文档，不是%2</translation>
    </message>
    <message>
        <source>%1 is JSON text, not %2</source>
        <translation>%1 是 JSON 文本，不是%2</translation>
    </message>
    <message>
        <source>%1 is not %2</source>
        <translation>%1 不是%2</translation>
    </message>
    <message>
        <source>an NPY, an NPZ or a safetensors file</source>
        <translation> NPY、NPZ 或 safetensors 文件</translation>
    </message>
    <message>
        <source>an NPY file</source>
        <translation> NPY 文件</translation>
    </message>
    <message>
        <source>a safetensors file</source>
        <translation> safetensors 文件</translation>
    </message>
    <message>
        <source>a session file</source>
        <translation>会话文件</translation>
    </message>
    <message>
        <source>%1: the file is empty</source>
        <translation>%1：文件为空</translation>
    </message>
</context>
<context>
    <name>headscope::ReplayBar</name>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Drag to see the heads, the curve and the mechanism as they were at a step. A tick ends each epoch of %1 steps, a diamond marks what happened to a head</source>
        <translation>拖动以查看某一步时的注意力头、曲线与机制。刻线标出每轮 %1 步的结束，菱形标出头上发生的事件</translation>
    </message>
    <message>
        <source>Shows the run as it is now</source>
        <translation>显示训练的当前状态</translation>
    </message>
    <message>
        <source>Speed of the replay in steps per second</source>
        <translation>回放速度，步/秒</translation>
    </message>
    <message>
        <source>Speed of the replay</source>
        <translation>回放速度</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 步/秒</translation>
    </message>
    <message>
        <source>%1 of %2 MB</source>
        <translation>%1 / %2 MB</translation>
    </message>
    <message>
        <source>%1 frames are recorded. Where they would take more than %2 MB, those between the first and the last thin out</source>
        <translation>已记录 %1 帧。超过 %2 MB 时，首末之间的帧会变稀疏</translation>
    </message>
    <message>
        <source>Pause the replay</source>
        <translation>暂停回放</translation>
    </message>
    <message>
        <source>Play the recorded run</source>
        <translation>播放记录的训练</translation>
    </message>
</context>
<context>
    <name>headscope::RightColumn</name>
    <message>
        <source>Mechanism</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>Without</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>Alike</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shows the heads of the first run</source>
        <translation>显示第一组的注意力头</translation>
    </message>
    <message>
        <source>Shows the heads of its twin</source>
        <translation>显示对照组的注意力头</translation>
    </message>
    <message>
        <source>first run</source>
        <translation>第一组</translation>
    </message>
    <message>
        <source>twin</source>
        <translation>对照组</translation>
    </message>
</context>
<context>
    <name>headscope::RunToolbar</name>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>One batch, one Adam step, then a pause (→ or N)</source>
        <translation>一个批次，一次 Adam 更新，然后暂停（→ 或 N）</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Trains anew from the seed (R)</source>
        <translation>从种子重新训练 (R)</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Export ▾</source>
        <translation>导出 ▾</translation>
    </message>
    <message>
        <source>Pictures as PNG, or to the clipboard</source>
        <translation>导出 PNG 图片或复制到剪贴板</translation>
    </message>
    <message>
        <source>Lecture</source>
        <translation>授课</translation>
    </message>
    <message>
        <source>Large type and thick lines for a projector, without the controls (F11; Esc leaves)</source>
        <translation>为投影使用大字号与粗线条，隐藏控件（F11；Esc 退出）</translation>
    </message>
    <message>
        <source>Pace in steps per second, logarithmic</source>
        <translation>速度，步/秒，对数刻度</translation>
    </message>
    <message>
        <source>From 1 to 1000 steps per second, then as fast as it goes. The numbers are the same at any pace</source>
        <translation>每秒 1 到 1000 步，再往右为最快。任何速度下数值都相同</translation>
    </message>
    <message>
        <source>Choose a lesson</source>
        <translation>选择课程</translation>
    </message>
    <message>
        <source>Pace</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Stands still after the step in hand (Space)</source>
        <translation>当前步之后停下（空格）</translation>
    </message>
    <message>
        <source>Trains anew from the seed (Space)</source>
        <translation>从种子重新训练（空格）</translation>
    </message>
    <message>
        <source>Trains on (Space)</source>
        <translation>继续训练（空格）</translation>
    </message>
    <message>
        <source>Ends the comparison: trains alone, from the seed (C)</source>
        <translation>结束对照：从种子单独训练 (C)</translation>
    </message>
    <message>
        <source>A twin that differs in one thing learns beside this run (C)</source>
        <translation>只有一处不同的对照组与本次训练并行 (C)</translation>
    </message>
</context>
<context>
    <name>headscope::ScalingCard</name>
    <message>
        <source>Divide scores by √d_head</source>
        <translation>分数除以 √d_head</translation>
    </message>
    <message>
        <source>restart</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>carry on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>weights = softmax(q·kᵀ / √d_head), or softmax(q·kᵀ) without (S)</source>
        <translation>权重 = softmax(q·kᵀ / √d_head)，关闭时为 softmax(q·kᵀ)（S）</translation>
    </message>
    <message>
        <source>On a change of heads, scaling or learning rate</source>
        <translation>更改头数、缩放或学习率时</translation>
    </message>
    <message>
        <source>On change: restart from the seed</source>
        <translation>更改时：从种子重新开始</translation>
    </message>
    <message>
        <source>Heads, scaling and learning rate: a change restarts from the seed; the old curve stays as a ghost</source>
        <translation>头数、缩放与学习率：更改后从种子重新开始；旧曲线保留作对比</translation>
    </message>
    <message>
        <source>On change: carry on with these weights</source>
        <translation>更改时：用现有权重继续</translation>
    </message>
    <message>
        <source>Heads, scaling and learning rate: a change goes on with these weights; a head count only splits them anew</source>
        <translation>头数、缩放与学习率：更改后用现有权重继续；改变头数只是重新拆分权重</translation>
    </message>
    <message>
        <source>On change</source>
        <translation>更改时</translation>
    </message>
    <message>
        <source>Measured with token std 1 and Adam at 0.005, on prefix-copy with d_model 128 and on lag-copy 1, 4, 7 with d_model 32 and 128: scores grow with √d_head, so the rows of the softmax saturate and pass no gradient</source>
        <translation>在词元标准差 1、Adam 0.005 下测得：prefix-copy（d_model 128）与 lag-copy 1, 4, 7（d_model 32 和 128）。分数随 √d_head 增长，softmax 的行因而饱和，不再传递梯度</translation>
    </message>
</context>
<context>
    <name>headscope::Sentences</name>
    <message>
        <source>√%1 = %2</source>
        <translation>√%1 = %2</translation>
    </message>
    <message>
        <source>d_head %1, %2: </source>
        <translation>d_head %1，%2：</translation>
    </message>
    <message>
        <source>this task learns without it too, as the answer travels by the values. Try prefix-copy with one head of 128.</source>
        <translation>此任务不缩放也能学会，因为答案经由值通路传递。试试 prefix-copy 与单个宽 128 的头。</translation>
    </message>
    <message>
        <source>switching it off matters little.</source>
        <translation>关闭缩放影响很小。</translation>
    </message>
    <message>
        <source>training takes about twice as long without it.</source>
        <translation>不缩放时训练约需两倍时间。</translation>
    </message>
    <message>
        <source>training takes about three times as long without it.</source>
        <translation>不缩放时训练约需三倍时间。</translation>
    </message>
    <message>
        <source>training mostly stalls without it, as softmax saturates.</source>
        <translation>不缩放时 softmax 饱和，训练多半停滞。</translation>
    </message>
    <message>
        <source>training stalls without it, as softmax saturates.</source>
        <translation>不缩放时 softmax 饱和，训练停滞。</translation>
    </message>
    <message>
        <source>how much this matters was measured with token std 1 only.</source>
        <translation>其影响只在词元标准差为 1 时测过。</translation>
    </message>
    <message>
        <source>training takes up to three times as long without it.</source>
        <translation>不缩放时训练最多需三倍时间。</translation>
    </message>
</context>
<context>
    <name>headscope::ShapesCard</name>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Products of matrices in one training step: forward, and twice that backward, once for the gradient of either factor. All T² scores count, though the causal mask needs half of them</source>
        <translation>一个训练步中的矩阵乘法：前向一次，反向为其两倍（每个因子的梯度各一次）。尽管因果掩码只需一半，T² 个分数全部计入</translation>
    </message>
    <message>
        <source>%1 parameters · %2 multiply-adds a training step</source>
        <translation>%1 个参数 · 每训练步 %2 次乘加</translation>
    </message>
</context>
<context>
    <name>headscope::SimilarityCard</name>
    <message>
        <source>Jensen–Shannon divergence of the two heads&apos; rows, H((a + b)/2) − (H(a) + H(b))/2 in bits, mean over the queries that must answer: 0 where they attend alike, 1 where they share no key</source>
        <translation>两个头各行的 Jensen–Shannon 散度 H((a + b)/2) − (H(a) + H(b))/2，单位比特，对需要作答的查询取平均：注意完全相同为 0，没有共同的键为 1</translation>
    </message>
    <message>
        <source>Similarity of heads</source>
        <translation>头之间的相似度</translation>
    </message>
    <message>
        <source>One head has none to be compared with.</source>
        <translation>只有一个头，无从比较。</translation>
    </message>
    <message>
        <source>Too many heads and tokens to compare while they learn.</source>
        <translation>头与词元过多，训练时无法比较。</translation>
    </message>
    <message>
        <source>Start a run to compare its heads.</source>
        <translation>开始训练以比较各头。</translation>
    </message>
    <message>
        <source>0 alike · 1 apart</source>
        <translation>0 相同 · 1 相异</translation>
    </message>
</context>
<context>
    <name>headscope::SimilarityMatrix</name>
    <message>
        <source>How differently each two heads attend</source>
        <translation>每两个头注意的差异</translation>
    </message>
    <message>
        <source>head %1 with itself: 0</source>
        <translation>头 %1 与自身：0</translation>
    </message>
    <message>
        <source>heads %1 and %2: %3</source>
        <translation>头 %1 与头 %2：%3</translation>
    </message>
    <message>
        <source>%1 bits</source>
        <translation>%1 比特</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>不是数值</translation>
    </message>
    <message>
        <source>most alike:
%1
most different:
%2</source>
        <translation>最相似：
%1
差异最大：
%2</translation>
    </message>
</context>
<context>
    <name>headscope::StagesView</name>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>%1 multiply-adds</source>
        <translation>%1 次乘加</translation>
    </message>
    <message>
        <source>Shapes on the way through the block</source>
        <translation>数据经过注意力块时的形状</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1: %2, %3.</source>
        <translation>%1：%2，%3。</translation>
    </message>
</context>
<context>
    <name>headscope::StatusStrip</name>
    <message>
        <source>Of the last batch: mean cross-entropy in nats, and the share of targets foretold</source>
        <translation>最近一个批次：平均交叉熵（奈特），以及预测正确的比例</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>尚未训练</translation>
    </message>
    <message>
        <source>Press Start (Space) to train the model</source>
        <translation>按“开始”（空格）训练模型</translation>
    </message>
    <message>
        <source>live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Space trains on, → makes one step</source>
        <translation>空格继续训练，→ 单步</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Change one thing and compare: this curve stays as a ghost</source>
        <translation>改变一处并比较：这条曲线会保留作对比</translation>
    </message>
    <message>
        <source>diverged at step %1</source>
        <translation>在第 %1 步发散</translation>
    </message>
    <message>
        <source>The loss is no finite number any more: lower the learning rate and press Restart (R)</source>
        <translation>损失已不是有限值：请降低学习率并按“重新开始”(R)</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>failed: %1. Press Restart (R) to try again</source>
        <translation>失败：%1。按“重新开始”(R) 再试</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>/ %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>accuracy %1 %</source>
        <translation>准确率 %1 %</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 步/秒</translation>
    </message>
    <message>
        <source>epoch %1 of %2</source>
        <translation>第 %1 轮，共 %2 轮</translation>
    </message>
    <message>
        <source>replay</source>
        <translation>回放</translation>
    </message>
</context>
<context>
    <name>headscope::SweepDialog</name>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>Steps to the threshold against d_head</source>
        <translation>达到阈值的步数与 d_head 的关系</translation>
    </message>
    <message>
        <source>Trains the experiment in hand with every number of heads below, with and without scaling, and with every seed: how many steps does each take to learn?</source>
        <translation>用下列每个头数、缩放与不缩放、每个种子训练当前实验：各需多少步才能学会？</translation>
    </message>
    <message>
        <source>&amp;Heads</source>
        <translation>头数(&amp;H)</translation>
    </message>
    <message>
        <source>Learned at a loss &amp;below</source>
        <translation>损失低于此值视为学会(&amp;B)</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Canceled; the runs that ended stay in the picture.</source>
        <translation>已取消；已完成的训练保留在图中。</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>Save the sweep</source>
        <translation>保存参数扫描</translation>
    </message>
    <message>
        <source>;;Table of comma-separated values (*.csv)</source>
        <translation>;;逗号分隔值表格 (*.csv)</translation>
    </message>
    <message>
        <source>Sa&amp;ve…</source>
        <translation>保存(&amp;V)…</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>See&amp;ds</source>
        <translation>种子(&amp;D)</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>第 %1 次，共 %2 次训练</translation>
    </message>
    <message>
        <source>All %1 runs have ended.</source>
        <translation>全部 %1 次训练已完成。</translation>
    </message>
</context>
<context>
    <name>headscope::Timeline</name>
    <message>
        <source>Timeline of the run</source>
        <translation>训练时间轴</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>Live at step %1 of %2.</source>
        <translation>实时，第 %1 步，共 %2 步。</translation>
    </message>
    <message>
        <source>Showing step %1 of %2.</source>
        <translation>显示第 %1 步，共 %2 步。</translation>
    </message>
    <message>
        <source>Step %1: %2.</source>
        <translation>第 %1 步：%2。</translation>
    </message>
</context>
<context>
    <name>headscope::TokenStrip</name>
    <message>
        <source>Probe tokens and what is predicted after each</source>
        <translation>探针词元及每个之后的预测</translation>
    </message>
    <message>
        <source>position %1: token %2</source>
        <translation>位置 %1：词元 %2</translation>
    </message>
    <message>
        <source>answer %1 with probability %2</source>
        <translation>答案 %1，概率 %2</translation>
    </message>
    <message>
        <source>logits changed by up to %1</source>
        <translation>logits 变化至多 %1</translation>
    </message>
    <message>
        <source>No probe yet.</source>
        <translation>还没有探针。</translation>
    </message>
    <message>
        <source>→ %1</source>
        <translation>→ %1</translation>
    </message>
</context>
<context>
    <name>headscope::Tour</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>It is in the Help menu when it is wanted again (Esc)</source>
        <translation>以后可从“帮助”菜单再次打开（Esc）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>headscope::TrainCommand</name>
    <message>
        <source>%1 steps: loss %2 (moving average), accuracy %3 %, %4 steps/s; written to %5</source>
        <translation>%1 步：损失 %2（滑动平均），准确率 %3 %，%4 步/秒；已写入 %5</translation>
    </message>
</context>
<context>
    <name>headscope::VerifyCommand</name>
    <message>
        <source>three projections are the fused one</source>
        <translation>三次投影等于一次融合投影</translation>
    </message>
    <message>
        <source>loops over heads are the batched form</source>
        <translation>逐头循环等于批量形式</translation>
    </message>
    <message>
        <source>the blockwise path is the plain one</source>
        <translation>分块路径等于朴素路径</translation>
    </message>
    <message>
        <source>a token changes no output before it, and the one at it</source>
        <translation>词元不改变它之前的输出，只改变它处及之后的</translation>
    </message>
    <message>
        <source>no output has a gradient with respect to a later token</source>
        <translation>输出对之后的词元没有梯度</translation>
    </message>
    <message>
        <source>the weights of every query sum to 1</source>
        <translation>每个查询的权重总和为 1</translation>
    </message>
    <message>
        <source>splitting into heads and merging gives the same</source>
        <translation>拆分为多头再合并结果不变</translation>
    </message>
    <message>
        <source>gradients reach every parameter (the key bias&apos;s cancel)</source>
        <translation>梯度到达每个参数（键偏置的梯度相消）</translation>
    </message>
    <message>
        <source>gradients are the complex-step derivatives</source>
        <translation>梯度等于复步导数</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>FAIL</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 of %2 hold (D=%3 H=%4 T=%5 B=%6, seed %7, double precision)
</source>
        <translation>%2 项中 %1 项成立（D=%3 H=%4 T=%5 B=%6，种子 %7，双精度）
</translation>
    </message>
</context>
<context>
    <name>headscope::WindowCommand</name>
    <message>
        <source>Close the other windows and dialogs first, then choose again</source>
        <translation>请先关闭其他窗口和对话框，再重新选择</translation>
    </message>
</context>
</TS>
